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
    /// Names of the strata of its cells, by code; 0 is "unknown" or the only one.
    public let strata: [String]
    /// The finest level of its cells, at most ``finestLevel``.
    public let finestLevel: Int

    /// The number of mobile QoE, whose kinds and metrics have the low numbers.
    public static let qoeNumber: UInt8 = 1
    /// The finest level that keys of cells can hold.
    public static let finestLevel = 20

    public init(
        number: UInt8, name: String, kinds: [ProgrammeKind], metrics: [ProgrammeMetric] = [], strata: [String] = [""],
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
    /// True if it counts for the network of the SIM, false if for the one that serves; of other scopes there is one.
    public let isOfSIM: Bool

    public init(_ number: UInt8, _ name: String, column: UInt8, bins: BinTable, isOfSIM: Bool = false) {
        self.number = number
        self.name = name
        self.column = column
        self.bins = bins
        self.isOfSIM = isOfSIM
    }
}
