/// Which of a device's records an erasure of a part takes: those of whole 5 minutes around a time, and of cells.
struct ReferenceScope: Sendable {
    private let from: Int
    private let end: Int
    private let cells: [String]?

    /// - Parameters:
    ///   - from, to: Unix milliseconds; nil: from the beginning, and up to now.
    ///   - cells: quadkeys; nil: everywhere, records without a place too.
    init(from: Int?, to: Int?, cells: [String]?, now: Int) {
        self.from = from.map { $0 - $0 % 300_000 } ?? .min
        end = (min(to ?? now, now) + 299_999) / 300_000 * 300_000
        self.cells = cells
    }

    /// The finest cell in which the record counts lies in one of the area, or one of the area in it.
    func takes(_ record: ReferenceRecord, capturedAt: Int) -> Bool {
        guard from <= capturedAt, capturedAt < end else { return false }
        guard let cells else { return true }
        guard let own = ReferenceGeography.cells(of: record).first else { return false }
        return cells.contains { own.hasPrefix($0) || $0.hasPrefix(own) }
    }
}
