import Glibc
import Testing

@testable import DocumentDrive

/// Who is told of the watch of another user.
struct ForeignProcessTests {
    @Test func ownProcessesAreNotForeign() {
        #expect(ForeignProcess(getpid()) == nil)
        // One of another container has no number here.
        #expect(ForeignProcess(0) == nil)
        #expect(ForeignProcess(.max) == nil)
    }

    @Test func whoseItIsIsNamed() throws {
        let foreign = try #require(ForeignProcess(getpid(), asked: geteuid() + 1))
        let name = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "#\(geteuid())"
        #expect(foreign == ForeignProcess(process: getpid(), user: name))
        #expect(
            ForeignProcess(process: 17, user: "alice").words
                == "process 17 of alice works on the drive and can be asked by that user alone; do this as "
                + "`sudo -u alice docdrive ...`")
    }
}
