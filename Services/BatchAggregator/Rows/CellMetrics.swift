import Models

/// What statistics count of the rows of a programme: of each metric its number, the column it is measured by and its bins.
struct CellMetrics: Sendable {
    struct Item: Sendable {
        /// What histograms store; unique within the programme.
        let number: UInt8
        let column: UInt8
        /// True if it is counted for the network of the SIM, where that is not the one that serves.
        let isOfSIM: Bool
        let bins: BinTable
    }

    /// As many metrics as ``SlotCode`` tells apart.
    static let limit = 16

    /// Ascending by number.
    let items: [Item]

    /// Traps unless the numbers ascend and there are at most ``limit``: what a programme declares is fixed when it is built.
    init(_ items: [Item]) {
        precondition(items.count <= CellMetrics.limit, "a programme has \(items.count) metrics, more than 16")
        precondition(
            zip(items, items.dropFirst()).allSatisfy { $0.number < $1.number }, "numbers of metrics do not ascend")
        self.items = items
    }

    /// Those of mobile quality of experience.
    static let mobile = CellMetrics(
        Metric.allCases.map { Item(number: $0.rawValue, column: $0.column, isOfSIM: $0.isOfSIM, bins: $0.bins) })

    var columns: Set<UInt8> { Set(items.map(\.column)) }

    /// Of each place among the items the number, as the slots of histograms have it: in the highest byte. So many as ``limit``;
    /// those behind the items are 0.
    var slots: [UInt32] {
        items.map { UInt32($0.number) << 24 } + repeatElement(0, count: CellMetrics.limit - items.count)
    }
}
