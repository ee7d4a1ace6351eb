/// How a service's database is opened.
public struct DatabaseOptions: Sendable {
    /// Overwrite deleted content with zeros; on wherever personal data is.
    public var secureDelete = true
    /// SQLite's page cache of the writing connection, in bytes (per reader a quarter of it).
    public var cacheBytes = 16 << 20
    /// Bytes of a page of a file that is made now, a power of two; a file that is there keeps its own. Large pages suit
    /// rows of some KB: SQLite puts what is longer than a quarter of a page (tables without rowid) on pages of its own.
    public var pageBytes = 4_096
    /// Pages in the write-ahead log after which a commit also checkpoints.
    public var checkpointPages: Int32 = 1_000
    /// Bytes kept aside on disk so that trimming and erasure can run when it is full; 0 is none.
    public var ballastBytes = 0
    /// Name of a registered SQLite VFS, for tests; nil is the default one.
    public var vfs: String?

    public init(
        secureDelete: Bool = true, cacheBytes: Int = 16 << 20, pageBytes: Int = 4_096, checkpointPages: Int32 = 1_000,
        ballastBytes: Int = 0, vfs: String? = nil
    ) {
        self.secureDelete = secureDelete
        self.cacheBytes = cacheBytes
        self.pageBytes = pageBytes
        self.checkpointPages = checkpointPages
        self.ballastBytes = ballastBytes
        self.vfs = vfs
    }
}
