public import DriveCore

/// Names a claim: the client that made it, and its count of claims.
public struct ClaimID: Hashable, Sendable, Codable {
    public var client: UInt64
    public var number: UInt64

    public init(client: UInt64, number: UInt64) {
        self.client = client
        self.number = number
    }
}

/// Names a presenter as `ClaimID` a claim.
public struct PresenterID: Hashable, Sendable, Codable {
    public var client: UInt64
    public var number: UInt64
}

/// What somebody asks for: all intents at once, or nothing.
struct ClaimRequest: Hashable, Sendable, Codable {
    /// Claims of one purpose never wait for one another.
    var purpose: String
    var intents: [FileIntent]
    /// Made on behalf of this presenter, which therefore is not asked.
    var presenter: PresenterID?
    /// Held by whoever asks, further out.
    var inside: [ClaimID] = []
    /// Asked for while a presenter answers this question.
    var answering: UInt64?
    /// Presenters get ready and nobody is kept from anything.
    var isPreparation = false
    /// Writes without presenters that do not answer.
    var passesOver = false
    /// Purposes of the accesses that this is a part of. Nil from whoever does not know of it.
    var joined: Set<String>?
    /// What other processes hold that this is a part of, though their claims are not known to the arbiter that it is asked of.
    var outer: [Enclosure]?

    /// Claims of one purpose never wait for one another, nor for what they are a part of.
    func belongsTo(_ other: String) -> Bool { purpose == other || joined?.contains(other) == true }

    /// Whether it ever waits for the other, if they are about one item.
    func heeds(_ other: ClaimRequest) -> Bool {
        !isPreparation && !other.isPreparation && !belongsTo(other.purpose) && !other.belongsTo(purpose)
    }

    func conflicts(with other: ClaimRequest) -> Bool {
        heeds(other) && intents.contains { intent in other.intents.contains { $0.conflicts(with: intent) } }
    }
}

/// A claim on its way.
struct Claim: Sendable {
    enum Stage: Hashable, Sendable {
        /// For others that were first.
        case waiting
        /// Its turn has come; other arbiters on this machine still have to be asked.
        case locking
        /// Presenters are being asked.
        case asking
        case held
    }

    let id: ClaimID
    /// Counts all claims: the earlier one goes first.
    let order: UInt64
    var request: ClaimRequest
    var stage = Stage.waiting
    /// What the arbiter called it that granted it, where that is gone.
    var before: ClaimID?
    /// One that it waits for: while that is there, nothing else has to be looked at. Of many that wait for one item each then has
    /// to look once, when the one before it is gone.
    var witness: ClaimID?
    /// When the witness was found, on the clock of `needed`.
    var lookedAt: UInt64 = 0
    /// When this became what others may be a part of: it was granted, or a presenter was asked.
    var needed: UInt64 = 0
    /// What each presenter is still to be asked, in this order.
    var toAsk: [PresenterID: [PresenterQuestion]] = [:]
    var asked: [UInt64: PresenterID] = [:]
    /// Want to be told when the access ends.
    var reacquirers: [PresenterID] = []

    var isAnswered: Bool { asked.isEmpty && toAsk.isEmpty }
    /// What is a part of nothing waits for what was before it, which never leads back.
    var isPart: Bool { !request.inside.isEmpty || request.answering != nil }
}

/// Why somebody does not get an item.
public enum CoordinationError: Error, Hashable, Sendable, Codable {
    /// The claim, and others that it waits for, wait for one another; this one was the youngest.
    case deadlock(DrivePath)
    /// A presenter of the item did not answer in time.
    case presenterUnresponsive(DrivePath)
    /// A presenter of the item could not save or make room; in its words.
    case presenterFailed(DrivePath, String)
    /// The claim was taken back.
    case cancelled
}

extension CoordinationError: CustomStringConvertible {
    /// What happened and what to do now, without the path.
    public var message: String {
        switch self {
        case .deadlock: "two programs wait for each other's files; claim all that is needed in one call, and try again"
        case .presenterUnresponsive: "a program that shows the item does not answer; see if it hangs, and try again"
        case .presenterFailed(_, let reason):
            "a program that shows the item could not get ready (\(reason)); save there, and try again"
        case .cancelled: "the claim was taken back"
        }
    }

    public var path: DrivePath {
        switch self {
        case .deadlock(let path), .presenterUnresponsive(let path), .presenterFailed(let path, _): path
        case .cancelled: .root
        }
    }

    public var description: String { self == .cancelled ? message : "\(message): \(path)" }
}
