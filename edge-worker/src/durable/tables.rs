//! The tables of the objects. [`super::rows`] defines how they may change.

/// Tables of a key's object. `entries` is the log of requests and of exchanges with the right secret, `misses` the log of
/// exchanges with a wrong one; `leases` those that were not reported, `lost` the units of those that never were.
pub const KEY: &str = "
    CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS entries (
        meter INTEGER NOT NULL, slot INTEGER NOT NULL, units INTEGER NOT NULL,
        month INTEGER NOT NULL, month_used INTEGER NOT NULL, PRIMARY KEY (meter, slot)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS misses (
        slot INTEGER NOT NULL, source INTEGER NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (slot, source)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS months (month INTEGER PRIMARY KEY, used INTEGER NOT NULL, billing TEXT);
    CREATE TABLE IF NOT EXISTS leases (
        id INTEGER PRIMARY KEY, ends_ms INTEGER NOT NULL, units INTEGER NOT NULL, month INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS lost (month INTEGER PRIMARY KEY, units INTEGER NOT NULL);
";

/// Columns of [`KEY`] that tables of earlier versions lack: table, column, type.
pub const ADDED_TO_KEY: [(&str, &str, &str); 1] = [("months", "billing", "TEXT")];

/// Tables of the directory.
pub const DIRECTORY: &str = "
    CREATE TABLE IF NOT EXISTS keys (api_key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS deleted (api_key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
";

/// Tables of a metrics shard.
pub const SHARD: &str = "
    CREATE TABLE IF NOT EXISTS totals (
        bucket INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, told INTEGER NOT NULL, json TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS isolates (
        id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, at INTEGER NOT NULL
    ) WITHOUT ROWID;
";

/// Tables of the metrics board.
pub const BOARD: &str = "
    CREATE TABLE IF NOT EXISTS totals (
        bucket INTEGER NOT NULL, shard TEXT NOT NULL, sequence INTEGER NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (bucket, shard)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sums (bucket INTEGER PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS probes (minute INTEGER PRIMARY KEY, good INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS probed_hours (hour INTEGER PRIMARY KEY, good INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS coverage (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
";
