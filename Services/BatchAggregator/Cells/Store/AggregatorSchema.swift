package import Storage

/// The tables of `state.sqlite` and of the day files.
///
/// `blocks`: per lane and generation, blocks up to `folded` are in the cells, those up to `target` are being folded into
/// them slice by slice, and those up to `applied` have their open rows on disk. `waiting_days`: days with open rows after
/// `target`. `folding_days`: days whose rows up to `target` are not all folded, and from which place on (``FoldRange``); `slices`
/// is what an older program had for that. `cells`: ``CellTable``. `erasing_rows`: ``ErasingRows``. `erasing_cells`:
/// ``ErasingCells``. `uncounted_cells`: ``UncountedCells``. `sealing`: ``SealingState``. `releases_made`, `release_rounds`, `releasing`: see there.
/// `older_rollups`: ``PopulationMigration``.
package enum AggregatorSchema {
    package static let migrations = [
        Migration(
            "cells, and what is folded into them",
            sql: """
                CREATE TABLE cells (
                    key BLOB PRIMARY KEY, samples INTEGER NOT NULL, device_count INTEGER NOT NULL, devices BLOB NOT NULL,
                    histograms BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE blocks (
                    lane INTEGER NOT NULL, generation INTEGER NOT NULL, applied INTEGER NOT NULL, target INTEGER NOT NULL,
                    folded INTEGER NOT NULL, PRIMARY KEY (lane, generation)) WITHOUT ROWID;
                CREATE TABLE waiting_days (day INTEGER PRIMARY KEY);
                """ + olderSlices),
        Migration("references to finer cells", sql: "ALTER TABLE cells ADD COLUMN source BLOB"),
        Migration(
            "slices by place", sql: "ALTER TABLE slices ADD COLUMN by_place INTEGER NOT NULL DEFAULT 0"),
        Migration(
            "rows and cells of an erasure that is under way",
            sql: """
                CREATE TABLE erasing_rows (
                    number INTEGER PRIMARY KEY, day INTEGER NOT NULL, lane INTEGER NOT NULL, generation INTEGER NOT NULL,
                    block INTEGER NOT NULL, row_count INTEGER NOT NULL, state INTEGER NOT NULL, taken BLOB NOT NULL,
                    raw_length INTEGER NOT NULL, crc32 INTEGER NOT NULL, payload BLOB NOT NULL);
                CREATE TABLE erasing_cells (key BLOB PRIMARY KEY, through INTEGER NOT NULL) WITHOUT ROWID;
                """),
        Migration("how far buckets are sealed", sql: SealingState.schema),
        Migration(
            "days that are being folded",
            sql: "CREATE TABLE folding_days (day INTEGER PRIMARY KEY, first INTEGER NOT NULL)"),
        PopulationMigration.step,
        Migration("rows and samples of each device", sql: UncountedCells.schema),
        Migration("which releases are made", sql: releases),
    ]

    /// `releases_made`: releases that were issued. `release_rounds`: classes and periods of which no release is issued any more.
    /// `releasing`: by which secret devices are divided, and the first local day that may be released.
    static let releases = """
        CREATE TABLE releases_made (
            class INTEGER NOT NULL, start INTEGER NOT NULL, programme INTEGER NOT NULL, scope INTEGER NOT NULL,
            PRIMARY KEY (class, start, programme, scope)) WITHOUT ROWID;
        CREATE TABLE release_rounds (
            class INTEGER NOT NULL, start INTEGER NOT NULL, PRIMARY KEY (class, start)) WITHOUT ROWID;
        CREATE TABLE releasing (
            id INTEGER PRIMARY KEY CHECK (id = 1), secret BLOB NOT NULL, first_day INTEGER NOT NULL);
        """

    /// How older programs had cut the rows of a fold; ``FoldLedger`` takes that over.
    static let olderSlices = """
        CREATE TABLE slices (
            day INTEGER NOT NULL, part INTEGER NOT NULL, parts INTEGER NOT NULL, PRIMARY KEY (day, part)) WITHOUT ROWID;
        """

    package static let dayMigrations = [
        Migration(
            "open rows by block",
            sql: """
                CREATE TABLE open_rows (
                    lane INTEGER NOT NULL, generation INTEGER NOT NULL, block INTEGER NOT NULL, row_count INTEGER NOT NULL,
                    raw_length INTEGER NOT NULL, crc32 INTEGER NOT NULL, payload BLOB NOT NULL,
                    PRIMARY KEY (lane, generation, block));
                """),
        Migration(
            "devices by block",
            sql: """
                CREATE TABLE open_subjects (
                    lane INTEGER NOT NULL, generation INTEGER NOT NULL, block INTEGER NOT NULL, subjects BLOB NOT NULL,
                    PRIMARY KEY (lane, generation, block)) WITHOUT ROWID;
                """),
    ]
}
