import DriveCore

/// One item that a scan could say nothing about.
struct FoundProblem {
    var path: DrivePath
    var reason: String
    var cause: Cause

    init(_ path: DrivePath, _ reason: String, _ cause: Cause) {
        (self.path, self.reason, self.cause) = (path, reason, cause)
    }
}
