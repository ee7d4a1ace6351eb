/// Which statistics cell: of which programme, when, where, whose rows, in which stratum, and of which population.
///
/// Rows are told apart by population as they are by scope and stratum: each counts in the cells of exactly one, and who may see
/// several adds them up.
public struct CellKey: Sendable, Hashable, Comparable {
    /// How long a bucket is; the raw value is what keys hold. 3 stands for a local month, which no program makes yet.
    public enum Bucket: UInt8, Sendable, CaseIterable, Comparable {
        case fiveMinutes = 0
        /// Of UTC.
        case hour
        /// A local day, whatever its length.
        case day

        /// 300, 3 600 or 86 400.
        public var seconds: UInt32 {
            switch self {
            case .fiveMinutes: 300
            case .hour: 3_600
            case .day: 86_400
            }
        }

        /// The bucket of so many seconds; nil if there is none.
        public init?(seconds: UInt32) {
            guard let bucket = Self.allCases.first(where: { $0.seconds == seconds }) else { return nil }
            self = bucket
        }

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whether the subscribers of a cell's rows share them with operators.
    ///
    /// An owner of a network sees what is shared, as it sees raw rows; else its cells less its raw rows would show who refused. A
    /// regulator adds both up. How many devices there are in both together is not known, as a device may have changed its
    /// consent within the bucket: the sum counts it twice.
    public enum Population: UInt8, Sendable, CaseIterable {
        /// Not shared, and all of before there were populations.
        case unshared = 0
        case shared

        /// Name in dumps.
        public var name: String { self == .shared ? "shared" : "unshared" }
    }

    /// Number of the programme that says what is counted, and what ``scope`` and ``stratum`` are.
    public let programme: UInt8
    public let bucket: Bucket
    /// Begin of the bucket in Unix seconds, not before 1970.
    public let bucketStart: Int64
    /// nil: rows that count without a cell.
    public let quadkey: Quadkey?
    /// Whose rows: of mobile networks ``PLMN/rawValue``.
    public let scope: UInt32
    /// What rows are told apart by beside that: of mobile networks their technology.
    public let stratum: UInt8
    public let population: Population

    /// Length of the bucket in seconds: 300, 3 600 or 86 400 (a local day, whatever its length).
    public var bucketSeconds: UInt32 { bucket.seconds }

    public init(
        programme: UInt8, bucket: Bucket, bucketStart: Int64, quadkey: Quadkey?, scope: UInt32, stratum: UInt8,
        population: Population
    ) {
        self.programme = programme
        self.bucket = bucket
        self.bucketStart = bucketStart
        self.quadkey = quadkey
        self.scope = scope
        self.stratum = stratum
        self.population = population
    }

    /// The cell of another time and place that is the same otherwise.
    public func at(_ bucket: Bucket, _ start: Int64, _ quadkey: Quadkey?) -> CellKey {
        CellKey(
            programme: programme, bucket: bucket, bucketStart: start, quadkey: quadkey, scope: scope, stratum: stratum,
            population: population)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.lexicographicallyPrecedes($0) } }
    }
}

extension RecordKind {
    /// The state of one statistics cell, on the `rollups` lane: absolute figures. The key is ``CellKey/bytes``.
    ///
    /// A cell whose rows all lie in one cell inside it has no figures but the key of that one, its `source`: samples,
    /// devices and histograms are those of the source, now and until the next row with the key. Version 1 had no
    /// sources; up to version 2 keys had another form (``CellKey/init(version1:)``).
    public static let cell = RecordKind(
        id: 3, name: "cell", version: 3, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.samples, "samples", .number(scale: 1)),
            Field(ColumnID.devices, "devices", .number(scale: 1)),
            Field(ColumnID.histograms, "histograms", .text(maximumCharacters: .max)),
            Field(ColumnID.source, "source", .text(maximumCharacters: 32)),
        ])
}
