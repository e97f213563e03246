import DriveCore
import FileCoordination
import Testing

@testable import DocumentDrive

/// What people are told of a removal.
struct CollectionReportTests {
    @Test func devicesOfOneNameAreToldApart() {
        let ids = (1...3).map { DeviceID(high: $0, low: 0) }
        var labels = DeviceLabels()
        for (id, name) in zip(ids, ["laptop", "laptop", "desk"]) { labels[id] = [DeviceLabel(from: 0, text: name)] }
        let outcome = CollectionOutcome.waiting(.init(), until: 0, for: [ids[1], ids[2]])
        let report = CollectionReport(outcome, unfinished: .init(), isTrial: false, labels: labels)
        #expect(report.devices == ["laptop (\(ids[1]))", "desk"])
    }
}
