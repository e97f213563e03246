import Testing

@testable import DocumentDrive
@testable import DriveFiles

/// What `doctor` says of what a file system cannot do.
struct DoctorTraitsTests {
    private func usual(_ change: (inout FolderTraits) -> Void = { _ in }) -> FolderTraits {
        var traits = FolderTraits()
        (traits.keepsExecutableBit, traits.keepsBirthTime, traits.keepsLinks) = (true, true, true)
        (traits.keepsExtendedAttributes, traits.canExchange) = (true, true)
        change(&traits)
        return traits
    }

    /// Bytes are not all that a file needs.
    @Test func whatLacksRoomIsSaid() {
        let (large, gibibyte): (UInt64, UInt64) = (100 << 30, 1 << 30)
        let fine = Doctor.room(50 * gibibyte, of: large, files: 1_000, waits: false)
        #expect(fine.level == .ok)
        #expect(Doctor.room(50 * gibibyte, of: large, files: nil, waits: false).level == .ok)
        let noFiles = Doctor.room(50 * gibibyte, of: large, files: 0, waits: true)
        #expect(noFiles.level == .problem && noFiles.message.contains("`df -i`"))
        let waiting = Doctor.room(50 * gibibyte, of: large, files: 1_000, waits: true)
        #expect(waiting.level == .warning && waiting.message.contains("a quota"))
        let full = Doctor.room(0, of: large, files: 1_000, waits: true)
        #expect(full.level == .problem && full.message.contains("downloads are stopped"))
    }

    @Test func whatAllCanIsNotSaid() {
        let reports = Doctor.reports(usual(), "ext4")
        #expect(reports.map(\.message) == ["ext4, keeps all that is needed"])
    }

    /// An encrypted folder takes shorter names; where the system does not tell, nobody knows.
    @Test(arguments: [(143, 1), (254, 1), (255, 0), (1024, 0), (0, 0)])
    func shorterNamesAreSaid(longest: UInt64, count: Int) {
        let reports = Doctor.reports(usual { $0.longestName = longest }, "ecryptfs").filter { $0.level == .warning }
        #expect(reports.count == count)
        #expect(reports.allSatisfy { $0.message == "it takes no name of more than \(longest) bytes" })
    }

    @Test func whatItLacksIsSaidTogether() {
        let reports = Doctor.reports(
            usual {
                $0.keepsLinks = false
                $0.keepsExecutableBit = false
                $0.foldsCase = true
            }, nil)
        #expect(reports.map(\.level) == [.warning, .warning])
        #expect(reports.first?.message == "it does not keep the executable bit, symbolic links")
    }
}
