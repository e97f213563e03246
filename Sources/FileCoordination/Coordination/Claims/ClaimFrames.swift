import DriveCore

/// What a client says to the arbiter.
enum ClaimCall: Hashable, Sendable, Codable {
    case claim(ClaimID, ClaimRequest)
    case cancel(ClaimID)
    case release(ClaimID, AccessReport)
    case moved(ItemMove, by: ClaimID)
    /// Also to change what was said before.
    case present(PresenterID, Presentation)
    case withdraw(PresenterID)
    case answer(question: UInt64, ClaimID, PresenterAnswer)
    case announce(DrivePath, VersionNews)
}

/// What the arbiter says to a client.
enum ClaimNews: Hashable, Sendable, Codable {
    /// The client's number; the first thing that is said.
    case welcome(UInt64)
    case granted(ClaimID, [FileIntent])
    case failed(ClaimID, CoordinationError)
    /// It is as was said about this presenter.
    case presented(PresenterID)
    case ask(PresenterID, question: UInt64, ClaimID, PresenterQuestion)
    case tell(PresenterID, PresenterNotice)
}
