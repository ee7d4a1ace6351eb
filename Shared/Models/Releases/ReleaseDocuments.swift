/// What a release is of, and by which rules it was made: the first line of its text.
///
/// It does not say how many devices were left out, for they would be fewer than k.
public struct ReleaseHead: Codable, Sendable, Hashable {
    /// `provisional`, `technology` or `final`.
    public var releaseClass: String
    /// Of a release: `final-qoe-62401-20261119T230000Z`.
    public var id: String
    /// Name of the programme.
    public var programme: String
    /// Text of the network.
    public var network: String
    /// The hour or the local day, Unix milliseconds.
    public var fromMs, toMs: UnixMilliseconds
    /// Least devices of an atom, and which devices count for it.
    public var k: Int
    public var trust: String
    /// Version of the bins.
    public var binTable: Int
    /// Number of the other rules.
    public var profile: Int
    /// How many lines follow.
    public var atoms: Int
    public var madeAtMs: UnixMilliseconds

    public init(
        releaseClass: String, id: String, programme: String, network: String, fromMs: UnixMilliseconds,
        toMs: UnixMilliseconds, k: Int, trust: String, binTable: Int, profile: Int, atoms: Int,
        madeAtMs: UnixMilliseconds
    ) {
        self.releaseClass = releaseClass
        self.id = id
        self.programme = programme
        self.network = network
        self.fromMs = fromMs
        self.toMs = toMs
        self.k = k
        self.trust = trust
        self.binTable = binTable
        self.profile = profile
        self.atoms = atoms
        self.madeAtMs = madeAtMs
    }

    enum CodingKeys: String, CodingKey {
        case id, programme, network, k, trust, profile, atoms
        case releaseClass = "class"
        case fromMs = "from_ms"
        case toMs = "to_ms"
        case binTable = "bin_table"
        case madeAtMs = "made_at_ms"
    }
}

/// The document of a record of kind `release`: its atoms travel before it, in the same transaction.
public struct ReleaseDocument: Codable, Sendable, Hashable {
    public var head: ReleaseHead
    /// Of the release's text, 64 hexadecimal digits.
    public var sha256: String
    /// Of the text.
    public var bytes: Int64

    public init(head: ReleaseHead, sha256: String, bytes: Int64) {
        self.head = head
        self.sha256 = sha256
        self.bytes = bytes
    }
}

/// The document of a record of kind `release_round`: that releases of a class and a period were made, or why there are none. No network gets
/// one of this class and period later.
public struct ReleaseRoundDocument: Codable, Sendable, Hashable {
    /// Why a round has no releases.
    public enum Reason: String, Codable, Sendable, CaseIterable {
        /// In no network were there k devices.
        case tooFewDevices = "too_few_devices"
        /// The day had begun before the home was restored, or before its secret was made anew: what was released of it is not known.
        case restored
    }

    public var releaseClass: String
    public var fromMs, toMs: UnixMilliseconds
    public var k: Int
    public var trust: String
    public var releases: Int
    /// Left out where there are releases.
    public var reason: Reason?
    public var madeAtMs: UnixMilliseconds

    public init(
        releaseClass: String, fromMs: UnixMilliseconds, toMs: UnixMilliseconds, k: Int, trust: String, releases: Int,
        reason: Reason?, madeAtMs: UnixMilliseconds
    ) {
        self.releaseClass = releaseClass
        self.fromMs = fromMs
        self.toMs = toMs
        self.k = k
        self.trust = trust
        self.releases = releases
        self.reason = reason
        self.madeAtMs = madeAtMs
    }

    enum CodingKeys: String, CodingKey {
        case k, trust, releases, reason
        case releaseClass = "class"
        case fromMs = "from_ms"
        case toMs = "to_ms"
        case madeAtMs = "made_at_ms"
    }
}

extension RecordKind {
    /// A release, on the `rollups` lane: ``ReleaseDocument``, keyed by its id. Never changed, never removed.
    public static let release = RecordKind(
        id: 60, name: "release", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// An atom of a release, keyed by the release's id, a slash and its place among the atoms from 0 on; the document is
    /// binary (`ReleasedAtom`).
    public static let releaseAtom = RecordKind(
        id: 61, name: "release_atom", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 80)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// That the releases of a class and a period are made, keyed by class and begin: ``ReleaseRoundDocument``.
    public static let releaseRound = RecordKind(
        id: 62, name: "release_round", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
