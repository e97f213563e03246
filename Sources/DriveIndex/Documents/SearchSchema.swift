/// The tables of `search.sqlite`. It is a cache: a file of any other version is made anew. Also where
/// documents are read otherwise (8: encodings, signs within words, and without encoded runs).
enum SearchSchema {
    static let version = 8
    /// `PRAGMA application_id`: "DocS".
    static let applicationID = 0x446F_6353

    static let migrations = Migrations(newest: newest, version: version, steps: [:], application: applicationID)

    /// Those that SQLite makes for full-text search are not among them.
    static let tables = ["origin", "document", "twin", "failure", "attribute", "value", "word"]

    static let newest = """
        -- Which index the rows are of, and whether that index knows that nothing is held for it yet.
        CREATE TABLE origin (device TEXT NOT NULL, known INTEGER NOT NULL, writes INTEGER NOT NULL) STRICT;

        CREATE TABLE document (
            row INTEGER PRIMARY KEY,
            version BLOB NOT NULL,
            -- Bits of `DocumentTraits`.
            traits INTEGER NOT NULL,
            attributes BLOB NOT NULL,
            -- Of the text, in bytes of UTF-8; null where there is none, or another document holds it.
            length INTEGER,
            -- By it a document that has the same text finds who holds it.
            digest BLOB,
            -- Compressed by Zstandard. Last, so that the others are read without it.
            text BLOB
        ) STRICT;
        CREATE INDEX documentDigest ON document (digest) WHERE digest IS NOT NULL;
        -- Documents whose text another one holds, with its words.
        CREATE TABLE twin (row INTEGER PRIMARY KEY, holder INTEGER NOT NULL) STRICT;
        CREATE INDEX twinHolder ON twin (holder);
        CREATE INDEX documentUncut ON document (row) WHERE traits & 4 <> 0;
        CREATE TABLE failure (
            row INTEGER PRIMARY KEY, kind INTEGER NOT NULL, reason TEXT NOT NULL, since INTEGER NOT NULL,
            attempts INTEGER NOT NULL, retry INTEGER
        ) STRICT;
        CREATE INDEX failureRetry ON failure (retry) WHERE retry IS NOT NULL;

        -- What attributes hold: folded text, numbers, and dates as seconds since 1970.
        CREATE TABLE attribute (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE value (
            attribute INTEGER NOT NULL, value ANY NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (attribute, value, row)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX valueRow ON value (row);

        -- All words of texts, and their pieces of three letters. Words of texts that are gone stay; that costs room only.
        CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
        CREATE VIRTUAL TABLE wordIndex USING fts5(
            text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1');
        -- The words of each text that a document holds, as `TextWords` cuts and folds them, with a space between; nothing is left to the tokenizer.
        CREATE VIRTUAL TABLE textIndex USING fts5(words, content = '', columnsize = 0, tokenize = 'ascii');
        -- Bytes of new words in memory before they are written: fewer pieces that have to be merged.
        INSERT INTO textIndex (textIndex, rank) VALUES ('hashsize', 8388608);
        """
}
