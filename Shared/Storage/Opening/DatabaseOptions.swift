/// How a service's database is opened.
public struct DatabaseOptions: Sendable {
    /// Overwrite deleted content with zeros; on wherever personal data is.
    package var secureDelete = true
    /// SQLite's page cache of the writing connection, in bytes (per reader a quarter of it).
    public var cacheBytes = 16 << 20
    /// Bytes of a page of a file that is made now, a power of two; a file that is there keeps its own. Large pages suit
    /// rows of some KB: SQLite puts what is longer than a quarter of a page (tables without rowid) on pages of its own.
    public var pageBytes = 4_096
    /// Pages in the write-ahead log after which a commit also checkpoints.
    public var checkpointPages: Int32 = 1_000
    /// Leave checkpoints to ``ServiceDatabase/checkpointIfDue()``, so that no commit waits for one; a log that has become
    /// eight times as long is written to the file all the same.
    public var defersCheckpoints = false
    /// Pages that a log with deferred checkpoints may have; until then they write it to the file without an fsync, after which
    /// it would be begun anew. 0: each checkpoint has one. For files that a realtime path waits for.
    public var longestLogPages: Int32 = 0
    /// Bytes by which the file grows, set aside at once so that no checkpoint waits for the file system to find a place for
    /// its pages; 0 lets it grow page by page. For files that a realtime path waits for.
    public var growthBytes = 0
    /// Have large commits and checkpoints carried to the disk while they go on, so that their fsync does not keep others
    /// of the same disk waiting; for files that nobody waits for.
    public var writesBackSteadily = false
    /// Bytes kept aside on disk so that trimming and erasure can run when it is full; 0 is none.
    public var ballastBytes = 0
    /// Name of a registered SQLite VFS, for tests; nil is the default one.
    public var vfs: String?

    public init(
        secureDelete: Bool = true, cacheBytes: Int = 16 << 20, pageBytes: Int = 4_096, checkpointPages: Int32 = 1_000,
        defersCheckpoints: Bool = false, longestLogPages: Int32 = 0, growthBytes: Int = 0,
        writesBackSteadily: Bool = false, ballastBytes: Int = 0,
        vfs: String? = nil
    ) {
        self.secureDelete = secureDelete
        self.cacheBytes = cacheBytes
        self.pageBytes = pageBytes
        self.checkpointPages = checkpointPages
        self.defersCheckpoints = defersCheckpoints
        self.longestLogPages = longestLogPages
        self.growthBytes = growthBytes
        self.writesBackSteadily = writesBackSteadily
        self.ballastBytes = ballastBytes
        self.vfs = vfs
    }
}
