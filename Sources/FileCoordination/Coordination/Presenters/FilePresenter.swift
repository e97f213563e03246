public import DriveCore

/// Somebody who shows an item of a drive and wants to know what others do with it, as `NSFilePresenter`.
///
/// Before another coordinator gets the item, its presenters are asked; it waits for the answers, as long as
/// `answerDeadline` each. One presenter is called for one thing after the other. What programs change that do not
/// coordinate is not told: `MetadataQuery`, or what a `WatchedDrive` announces, tells of that.
///
/// Whoever claims its own item in one of these calls does so by a coordinator that is made with the presenter; another one would ask
/// the presenter, which is busy. Acts of a `Drive`, as ending a conflict, are the presenter's own there. A class on an actor marks its
/// methods with it (`@MainActor func presentedItemDidChange() async`).
public protocol FilePresenter: AnyObject, Sendable {
    /// What is shown, a file or a folder; nil before it is first saved. Read when the presenter is added; when it has a
    /// place later, add it again.
    var presentedItemPath: DrivePath? { get }
    /// How long an answer may take. After it readers go on without this presenter, and writers fail.
    var answerDeadline: Duration { get }

    /// Somebody is about to read the item. Stop writing; the closure that is returned runs when the reader is done.
    func relinquishPresentedItemToReader() async -> Reacquirer?
    /// Somebody is about to write the item. Stop using it; the closure that is returned runs when the writer is done.
    func relinquishPresentedItemToWriter() async -> Reacquirer?
    /// Save now what is not saved yet, through a coordinator that is made with this presenter. An error fails whoever waits.
    func savePresentedItemChanges() async throws
    /// The item is about to be deleted, or replaced: close it. An error fails whoever waits.
    func accommodatePresentedItemDeletion() async throws
    /// The same for something in the item.
    func accommodatePresentedSubitemDeletion(at path: DrivePath) async throws

    /// The item, or a folder that it is in, has moved.
    func presentedItemDidMove(to path: DrivePath) async
    /// Content or attributes were written; compare dates inside a coordinated read.
    func presentedItemDidChange() async
    /// A conflict has come or is over, or a version is not kept any more; whoever did it, this presenter's own program too.
    func presentedItemVersions(_ news: VersionNews) async
    func presentedSubitemDidAppear(at path: DrivePath) async
    func presentedSubitem(at path: DrivePath, didMoveTo other: DrivePath) async
    /// Where the item is a package and this is not implemented, `presentedItemDidChange` is called.
    func presentedSubitemDidChange(at path: DrivePath) async
    func presentedSubitemVersions(at path: DrivePath, _ news: VersionNews) async
}

/// Takes an item back into use.
public typealias Reacquirer = @Sendable () async -> Void

// Whoever does not care lets everybody have the item.
extension FilePresenter {
    public var answerDeadline: Duration { .seconds(30) }
    public func relinquishPresentedItemToReader() async -> Reacquirer? { nil }
    public func relinquishPresentedItemToWriter() async -> Reacquirer? { nil }
    public func savePresentedItemChanges() async throws {}
    public func accommodatePresentedItemDeletion() async throws {}
    public func accommodatePresentedSubitemDeletion(at path: DrivePath) async throws {}
    public func presentedItemDidMove(to path: DrivePath) async {}
    public func presentedItemDidChange() async {}
    public func presentedItemVersions(_ news: VersionNews) async {}
    public func presentedSubitemDidAppear(at path: DrivePath) async { await changedInPackage(path) }
    public func presentedSubitem(at path: DrivePath, didMoveTo other: DrivePath) async { await changedInPackage(path) }
    public func presentedSubitemDidChange(at path: DrivePath) async { await changedInPackage(path) }
    public func presentedSubitemVersions(at path: DrivePath, _ news: VersionNews) async {}

    private func changedInPackage(_ path: DrivePath) async {
        guard let own = presentedItemPath, own.coordinatedItem == path.coordinatedItem else { return }
        await presentedItemDidChange()
    }
}
