import DriveRemoteStores

/// Programs that stores have started for this process.
public enum StartedPrograms {
    /// Asks them to end, for whoever is about to end this process without `exit`, which asks them by itself.
    public static func end() { RunningSSH.end() }
}
