extension IgnoreRules {
    /// What `init` writes into a new drive's `.driveignore`: files that programs make for themselves and that mean
    /// nothing elsewhere. It is the owner's to edit. `*.tmp`, `*~` and `.git` are not in it: people keep work there.
    public static let defaultFile = """
        # What is listed here is neither sent nor applied, and never deleted because of it. All devices go by these rules.
        # The syntax is that of gitignore; such a file may stand in any folder. `docdrive ignored` shows the effect.

        # Locks and owner files of office programs and editors
        .~lock.*#
        ~$*
        .#*
        \\#*#

        # Swap files and probes of vi
        .*.sw?
        4913

        # Saves and downloads that are not finished
        .goutputstream-*
        *.part

        # What desktops and network file systems leave behind
        .DS_Store
        Thumbs.db
        desktop.ini
        .Trash-*
        .nfs*

        """
}
