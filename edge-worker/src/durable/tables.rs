//! The tables of the objects. [`super::rows`] defines how they may change.

/// Tables of a key's object. `counts` has a row for the requests and one for the exchanges.
pub const KEY: &str = "
    CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS counts (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS months (month INTEGER PRIMARY KEY, used INTEGER NOT NULL, billing TEXT);
";

/// Tables of the directory.
pub const DIRECTORY: &str = "
    CREATE TABLE IF NOT EXISTS keys (api_key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS deleted (api_key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
";

/// Tables of the metrics board: its hours, and by name its register and the figures of coverage.
pub const BOARD: &str = "
    CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
";
