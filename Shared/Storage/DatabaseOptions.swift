/// How a service's database is opened.
public struct DatabaseOptions: Sendable {
    /// Overwrite deleted content with zeros; on wherever personal data is.
    public var secureDelete = true
    /// SQLite's page cache of the writing connection, in bytes (per reader a quarter of it).
    public var cacheBytes = 16 << 20
    /// Pages (4 096 bytes) in the write-ahead log after which a commit also checkpoints.
    public var checkpointPages: Int32 = 1_000
    /// Bytes kept aside on disk so that trimming and erasure can run when it is full; 0 is none.
    public var ballastBytes = 0
    /// Name of a registered SQLite VFS, for tests; nil is the default one.
    public var vfs: String?

    public init(
        secureDelete: Bool = true, cacheBytes: Int = 16 << 20, checkpointPages: Int32 = 1_000, ballastBytes: Int = 0,
        vfs: String? = nil
    ) {
        self.secureDelete = secureDelete
        self.cacheBytes = cacheBytes
        self.checkpointPages = checkpointPages
        self.ballastBytes = ballastBytes
        self.vfs = vfs
    }
}
