/// Everything that Nkul knows about one field of use.
///
/// A programme is a folder and one value of this type, registered in ``Programmes`` where a service is put together. Everything
/// that depends on it is derived: parsers, routes, documents, CSV headers, lanes' subscriptions, cells, alarms.
public struct Programme: Sendable {
    /// Number in keys of cells, never reused; 1 is QoE, 0 none.
    public let number: UInt8
    /// Name in messages: `qoe`.
    public let name: String
    /// In the order in which documents list them.
    public let kinds: [ProgrammeKind]
    /// What statistics are kept of, ascending by number.
    public let metrics: [ProgrammeMetric]
    /// What its cells are told apart by beside their scope.
    public let strata: Strata
    /// The finest level of its cells, at most ``finestLevel``.
    public let finestLevel: Int

    /// The number of mobile QoE, whose kinds and metrics have the low numbers.
    public static let qoeNumber: UInt8 = 1
    /// The finest level that keys of cells can hold.
    public static let finestLevel = 20

    public init(
        number: UInt8, name: String, kinds: [ProgrammeKind], metrics: [ProgrammeMetric] = [], strata: Strata = .one,
        finestLevel: Int = 16
    ) {
        self.number = number
        self.name = name
        self.kinds = kinds
        self.metrics = metrics
        self.strata = strata
        self.finestLevel = finestLevel
    }

    /// The metric of that name.
    public func metric(named name: String) -> ProgrammeMetric? { metrics.first { $0.name == name } }

    /// Whose its cells are; nil if none of its kinds counts.
    public var cellScope: RowScope? { kinds.first(where: \.isCounted)?.scope }

    /// The field that a metric is measured by.
    public func field(of metric: ProgrammeMetric) -> Field? {
        kinds.lazy.filter { $0.isCounted && metric.isOf($0.kind.id) }.compactMap { $0.kind.field(metric.column) }.first
    }
}

/// What cells of a programme are told apart by beside their scope: of mobile networks the technology.
public struct Strata: Sendable, Hashable {
    /// By code; 0 is "unknown" or the only one.
    public let names: [String]
    /// The column that says in which stratum a row is; nil where there is one stratum.
    public let column: UInt8?
    /// The code by the value of the column, from 0 on; rows with another value, or none, are in stratum 0.
    public let codes: [UInt8]
    /// The stratum of rows whose phone had no network, which count for the network of the SIM too; nil where there is none.
    public let withoutNetwork: UInt8?

    public init(_ names: [String], column: UInt8?, codes: [UInt8], withoutNetwork: UInt8? = nil) {
        self.names = names
        self.column = column
        self.codes = codes
        self.withoutNetwork = withoutNetwork
    }

    /// No strata.
    public static let one = Strata([""], column: nil, codes: [])

    /// The name of a code; its number if it has none.
    public func name(_ code: UInt8) -> String { names.indices.contains(Int(code)) ? names[Int(code)] : "\(code)" }
}

/// What statistics are kept of.
public struct ProgrammeMetric: Sendable, Hashable {
    /// Number in histograms, scoped by programme. QoE has 0 to 63, others have 64 to 255.
    public let number: UInt8
    /// Name in queries and dumps.
    public let name: String
    /// The column that it is measured by.
    public let column: UInt8
    /// How values fall into bins.
    public let bins: BinTable
    /// The kind whose rows alone it is measured by; nil: all that count and have the column.
    public let kind: UInt8?
    /// False if its values are names, of which there is no order and no median.
    public let isOrdered: Bool
    /// True if it counts for the network of the SIM, false if for the one that serves; of other scopes there is one.
    public let isOfSIM: Bool

    public init(
        _ number: UInt8, _ name: String, column: UInt8, bins: BinTable, kind: UInt8? = nil, isOrdered: Bool = true,
        isOfSIM: Bool = false
    ) {
        self.number = number
        self.name = name
        self.column = column
        self.bins = bins
        self.kind = kind
        self.isOrdered = isOrdered
        self.isOfSIM = isOfSIM
    }

    /// Whether rows of a kind count for it.
    public func isOf(_ kind: UInt8) -> Bool { self.kind == nil || self.kind == kind }
}
