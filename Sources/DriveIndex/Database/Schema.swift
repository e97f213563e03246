/// The newest schema, whole: a new index is made of it. Changes to older ones are in `Migrations`.
///
/// Ids are interned: items, devices and objects on the store have small integer keys here, so that what is repeated a
/// hundred thousand times costs one to three bytes. Blobs are in the forms of `StateCoding`, `RowCoding` and
/// `MemoryCoding`; they belong to the schema's version.
enum Schema {
    static let version = 12
    /// `PRAGMA application_id`: "DocD".
    static let applicationID = 0x446F_6344

    /// What makes each version of the one before it.
    static let steps = [
        1: search, 2: history, 3: names, 4: copyNames, 5: ignoreFiles, 6: steadyIgnoreFiles, 7: ownItems,
        8: trashReasons, 9: seenTime, 10: copiesOfRefused, 11: typedSigns,
    ]

    static let newest = whole(version: version)

    /// All that an index of this version is made of.
    static func whole(version: Int) -> String {
        (1..<version).reduce(tables) { $0 + steps[$1]! }
    }

    private static let tables = """
        CREATE TABLE device (key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE object (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

        -- Every item that anything names. Until its first record arrives it is a uid only, and kind is null.
        CREATE TABLE item (
            key INTEGER PRIMARY KEY,
            uid BLOB NOT NULL UNIQUE,
            kind INTEGER,
            -- What its record names, and (eff) where the view hangs it: null while that parent is not known here.
            parent INTEGER,
            eff INTEGER,
            -- The representative of the folders that are shown as one with this folder.
            node INTEGER,
            alive INTEGER NOT NULL DEFAULT 0,
            shownChildren INTEGER NOT NULL DEFAULT 0,
            -- The last record of this device, and the greatest of them that a fetched record contains.
            own INTEGER,
            covered INTEGER,
            name BLOB,
            -- All else of its state.
            state BLOB
        ) STRICT;
        CREATE INDEX itemPlace ON item (eff, name) WHERE eff IS NOT NULL;
        CREATE INDEX itemPending ON item (parent) WHERE eff IS NULL AND kind IS NOT NULL;
        CREATE INDEX itemNode ON item (node) WHERE node IS NOT NULL;
        INSERT INTO item (key, uid) VALUES (1, zeroblob(16));

        -- Who carries a mark with a folder, in a life dot or a head.
        CREATE TABLE mark (folder INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (folder, item))
            STRICT, WITHOUT ROWID;
        -- Who refers to a chunk, by the first 8 bytes of its id. The reference itself is in the item's state.
        CREATE TABLE chunk (prefix INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (prefix, item))
            STRICT, WITHOUT ROWID;
        -- Chunks that are stored and that no item refers to yet.
        CREATE TABLE uploaded (id BLOB NOT NULL PRIMARY KEY, place BLOB NOT NULL) STRICT, WITHOUT ROWID;

        -- Items whose move V2 undoes; nearly always empty.
        CREATE TABLE undone (item INTEGER PRIMARY KEY) STRICT;
        -- Names of conflict copies, in the order in which they were given.
        CREATE TABLE derived (
            node INTEGER NOT NULL, place INTEGER NOT NULL, name BLOB NOT NULL, ownName BLOB NOT NULL,
            item INTEGER NOT NULL, device INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (node, place)
        ) STRICT, WITHOUT ROWID;
        -- Where the view changed since apply last looked.
        CREATE TABLE dirtyGroup (node INTEGER NOT NULL, name BLOB NOT NULL, PRIMARY KEY (node, name))
            STRICT, WITHOUT ROWID;
        CREATE TABLE dirtyItem (item INTEGER PRIMARY KEY) STRICT;

        -- What is on this device's disk. Names are not unique in a folder: two files that change places pass through
        -- equal names within a transaction.
        CREATE TABLE row (
            id INTEGER PRIMARY KEY,
            parent INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            parked INTEGER NOT NULL,
            held INTEGER NOT NULL,
            derived INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            -- Seconds since 1970.
            modified INTEGER NOT NULL,
            -- The first 8 bytes of the content's hash; the others are in rest.
            hash INTEGER,
            name BLOB NOT NULL,
            -- The name without case and diacritics, where that is another one.
            folded BLOB,
            -- Facts, attributes, members and what was seen of them.
            rest BLOB NOT NULL
        ) STRICT;
        CREATE INDEX rowPlace ON row (parent, name);
        CREATE INDEX rowInode ON row (inode);
        CREATE INDEX rowHash ON row (hash) WHERE hash IS NOT NULL;
        CREATE INDEX rowParked ON row (id) WHERE parked = 1;
        CREATE INDEX rowHeld ON row (id) WHERE held = 1;
        CREATE TABLE baseMember (item INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (item, row))
            STRICT, WITHOUT ROWID;

        -- Groups of records that are made and not yet published, oldest first.
        CREATE TABLE pending (sequence INTEGER PRIMARY KEY, records BLOB NOT NULL) STRICT;

        CREATE TABLE intent (sequence INTEGER PRIMARY KEY, step BLOB NOT NULL) STRICT;
        CREATE TABLE trash (
            sequence INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, path BLOB NOT NULL, hash BLOB,
            size INTEGER NOT NULL, reason TEXT NOT NULL, time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE log (
            sequence INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, path BLOB NOT NULL, source BLOB,
            device TEXT, note TEXT
        ) STRICT;
        CREATE TABLE problem (
            sequence INTEGER PRIMARY KEY, source TEXT NOT NULL, path BLOB NOT NULL, reason TEXT NOT NULL,
            since INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        -- Single values: numbers, journal, token, labels, nextRow.
        CREATE TABLE memory (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// For searches. Rows that are new cost nothing: they are those beyond a mark (`searchMarks` in memory).
    private static let search = """

        -- The folded names of rows up to the mark, in pieces of three letters.
        CREATE VIRTUAL TABLE nameIndex USING fts5(
            name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1');
        -- Rows up to the mark that have another name now, or are gone, with the name that nameIndex has for them.
        CREATE TABLE renamed (row INTEGER PRIMARY KEY, name TEXT) STRICT;
        -- Files up to the mark of documents that are to be read again, or are gone.
        CREATE TABLE unread (row INTEGER PRIMARY KEY) STRICT;
        """

    /// What was. Columns of the log that this adds are null in events of before.
    private static let history = """

        -- Contents that an item had until another took its place; hash has the first 8 bytes of its.
        CREATE TABLE version (
            item INTEGER NOT NULL, device INTEGER NOT NULL, n INTEGER NOT NULL, until INTEGER NOT NULL,
            hash INTEGER NOT NULL, head BLOB NOT NULL, PRIMARY KEY (item, device, n)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX versionUntil ON version (until);
        CREATE INDEX versionHash ON version (hash);
        -- Events with one number were done together, began at one time (milliseconds), and have one cause.
        ALTER TABLE log ADD COLUMN operation INTEGER;
        ALTER TABLE log ADD COLUMN cause TEXT;
        ALTER TABLE log ADD COLUMN began INTEGER;
        ALTER TABLE log ADD COLUMN undoes INTEGER;
        ALTER TABLE log ADD COLUMN before BLOB;
        ALTER TABLE log ADD COLUMN after BLOB;
        ALTER TABLE log ADD COLUMN attributes BLOB;
        CREATE INDEX logPath ON log (path);
        CREATE INDEX logOperation ON log (operation) WHERE operation IS NOT NULL;
        -- What is known of conflicts: ancestor, class and the contents that they were computed from.
        CREATE TABLE conflict (
            item INTEGER NOT NULL, device INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, current BLOB,
            copy BLOB, ancestor BLOB, context BLOB NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (item, device, n)
        ) STRICT, WITHOUT ROWID;
        """

    /// Names in blocks, in place of FTS5, whose index held no names. Searches walk up to the root by folders alone.
    private static let names = """

        DROP TABLE nameIndex;
        DROP TABLE renamed;
        -- Folded names of rows up to the mark, and what makes paths of them (`NameBlock`); first is the row that a block
        -- begins with, as long as there is one.
        CREATE TABLE nameIndexBlock (
            block INTEGER PRIMARY KEY, first INTEGER NOT NULL, lengths BLOB NOT NULL, texts BLOB NOT NULL,
            places BLOB NOT NULL
        ) STRICT;
        CREATE INDEX nameIndexFirst ON nameIndexBlock (first);
        -- Which groups of names may have which pieces of three bytes (`NamePieces`).
        CREATE TABLE nameIndexPiece (place INTEGER PRIMARY KEY, groups BLOB NOT NULL) STRICT;
        -- Rows up to the mark that have another name or place now, or are gone.
        CREATE TABLE renamed (row INTEGER PRIMARY KEY) STRICT;
        CREATE INDEX rowFolder ON row (id, parent, name) WHERE kind = 1 AND parked = 0;
        -- Folders whose rows are just what the last walk found (`KnownFolder`).
        CREATE TABLE knownFolder (row INTEGER PRIMARY KEY, known BLOB NOT NULL) STRICT;
        UPDATE memory SET value = CAST(X'0000000000000001' || substr(value, 9) AS BLOB) WHERE name = 'searchMarks';
        """

    /// Names of conflict copies by what they stand for. All count as numbered, until the view next looks at them.
    private static let copyNames = """

        ALTER TABLE derived RENAME TO derivedBefore;
        CREATE TABLE derived (
            node INTEGER NOT NULL, ownName BLOB NOT NULL, item INTEGER NOT NULL, device INTEGER NOT NULL,
            n INTEGER NOT NULL, name BLOB NOT NULL,
            -- Whether the name bears an ordinal.
            numbered INTEGER NOT NULL,
            PRIMARY KEY (node, ownName, item, device, n)
        ) STRICT, WITHOUT ROWID;
        -- With all columns, or a search by name reads all of the node.
        CREATE INDEX derivedName ON derived (node, name, numbered);
        CREATE INDEX derivedNumbered ON derived (node, numbered);
        INSERT INTO derived SELECT node, ownName, item, device, n, name, 1 FROM derivedBefore;
        DROP TABLE derivedBefore;
        """

    /// The files with ignore rules (`IgnoreRules.fileName`), which are looked for before every scan.
    private static let ignoreFiles = """

        CREATE INDEX rowIgnoreFile ON row (id) WHERE name = X'2E647269766569676E6F7265';
        """

    /// The same by a condition that `name = ?` cannot be compared with: SQLite looks at the value that such a parameter has
    /// to see whether it implies the condition, and compiles the statement anew for every other value.
    private static let steadyIgnoreFiles = """

        DROP INDEX rowIgnoreFile;
        CREATE INDEX rowIgnoreFile ON row (id) WHERE substr(name, 1) = X'2E647269766569676E6F7265';
        """

    /// New forms only, which programs of before cannot read: rows whose item has no key and no place in `baseMember`
    /// (`RowCoding`), and fingerprints in the place of hashes where there is a content key.
    private static let ownItems = ""

    /// New reasons for which a file is in the trash, which programs of before do not know.
    private static let trashReasons = ""

    /// What is kept for a while counts by the time that was seen pass (`SeenTime`): when it came, nil where it was unknown.
    private static let seenTime = """

        ALTER TABLE trash ADD COLUMN since INTEGER;
        ALTER TABLE version ADD COLUMN since INTEGER;
        DROP INDEX versionUntil;
        CREATE INDEX versionSince ON version (coalesce(since, until));
        """

    /// One more reason for which a file is in the trash, or beside it, likewise.
    private static let copiesOfRefused = ""

    /// Names are folded with signs as they are typed (`TextFolding.typed`); the index of names is made anew.
    private static let typedSigns = """

        UPDATE row SET folded = typed.name FROM (
            SELECT id, CAST(
                replace(replace(replace(replace(replace(replace(replace(
                    CAST(coalesce(folded, name) AS TEXT), char(0xAD), ''), char(0x200B), ''), char(0x2060), ''),
                    char(0xFEFF), ''), char(0x2019), char(0x27)), char(0x2010), '-'), char(0x2011), '-')
                AS BLOB) AS name
            FROM row) AS typed
        WHERE typed.id = row.id AND typed.name <> coalesce(row.folded, row.name);
        DELETE FROM nameIndexBlock;
        DELETE FROM nameIndexPiece;
        DELETE FROM renamed;
        UPDATE memory SET value = CAST(X'0000000000000001' || substr(value, 9) AS BLOB) WHERE name = 'searchMarks';
        """
}
