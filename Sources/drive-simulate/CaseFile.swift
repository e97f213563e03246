import DriveTesting
import Foundation

/// Runs the merge cases of a file and prints what fails.
struct CaseFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// True where every case ends as expected.
    func run(_ device: DeviceKind) async -> Bool {
        let cases: [MergeCase]
        do { cases = try MergeCase.parse(Array(Data(contentsOf: URL(fileURLWithPath: path)))) } catch {
            print("FAILED \(path) cannot be read: \(error)")
            return false
        }
        var failures = 0
        for mergeCase in cases {
            do { try await MergeCaseRunner.run(mergeCase, makeDevice: device.make) } catch {
                failures += 1
                print("FAILED case \(mergeCase.name): \(error)")
            }
        }
        print("\(cases.count) cases, \(failures) failed")
        return failures == 0
    }
}
