/// How long the watch loop waits for what.
public struct WatchPace: Sendable {
    /// After a writer closed a file: programs often write twice.
    public var settle = Duration.milliseconds(50)
    /// Events that go on and on do not put a scan off for longer.
    public var longestSettle = Duration.milliseconds(500)
    /// Until something that kept changing, or is open for writing, is looked at again.
    public var unsettled = Duration.seconds(2)
    /// Between looks at the store, shortly after something happened, and when all is quiet or the store tells of news.
    public var activePoll = Duration.seconds(5)
    public var idlePoll = Duration.seconds(30)
    /// What counts as shortly.
    public var active = Duration.seconds(120)
    /// A whole scan in case something went unseen; oftener where folders cannot be watched.
    public var rescan = Duration.seconds(6 * 3600)
    public var blindRescan = Duration.seconds(15 * 60)
    /// From a change in a folder to a look at all of it, at most.
    public var wholeLook = Duration.seconds(60)
    /// After the first failure; doubled with each further one.
    public var firstRetry = Duration.seconds(1)
    public var longestRetry = Duration.seconds(60)
    /// However much longer a store asks to be left alone.
    public var longestAsked = Duration.seconds(3600)
    /// After the last work, before the own log is tidied.
    public var quiet = Duration.seconds(30)

    public init() {}
}
