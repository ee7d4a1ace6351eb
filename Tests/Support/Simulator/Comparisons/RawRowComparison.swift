import ExporterRows
import Models
import Storage
import Wire

/// Compares the exporter's raw rows with those of the model.
struct RawRowComparison {
    private let files: RawRowFiles

    init(_ files: RawRowFiles) {
        self.files = files
    }

    /// All rows there are must be these.
    func compareAll(_ expected: [ReferenceRow]) throws {
        try compare(all(), expected, isComplete: true)
    }

    /// All rows there are must be among these.
    func compareSome(of expected: [ReferenceRow]) throws {
        try compare(all(), expected, isComplete: false)
    }

    /// The rows a tenant is shown must be these.
    func compare(_ expected: [ReferenceRow], of tenant: String, in database: ServiceDatabase) throws {
        var rows: [StoredRawRow] = []
        try files.forEachRow(of: tenant, in: database) { kind, columns, row in
            rows.append(StoredRawRow(kind, columns, row))
        }
        do {
            try compare(rows, expected, isComplete: true)
        } catch let failure as SimulationFailure {
            throw SimulationFailure("tenant \(tenant): \(failure)")
        }
    }

    /// Whether there is a row that was received before a time.
    func hasRows(before time: Int) throws -> Bool {
        try all().contains { $0.numbers["received_at_ms"].map { $0 < time } ?? false }
    }

    private func all() throws -> [StoredRawRow] {
        var rows: [StoredRawRow] = []
        try files.forEachBlock { kind, columns in
            rows += (0..<columns.rowCount).map { StoredRawRow(kind, columns, $0) }
        }
        return rows
    }

    private func compare(_ rows: [StoredRawRow], _ expected: [ReferenceRow], isComplete: Bool) throws {
        var stored: [String: StoredRawRow] = [:]
        for one in rows where stored.updateValue(one, forKey: "\(one.device) \(one.id)") != nil {
            throw SimulationFailure("raw row twice: device \(one.device), id \(one.id)")
        }
        for row in expected {
            guard let one = stored.removeValue(forKey: "\(row.device) \(row.id)") else {
                if isComplete { throw SimulationFailure("raw row missing: device \(row.device), id \(row.id)") }
                continue
            }
            if !one.says(row) { throw SimulationFailure("raw row differs: \(one) instead of \(row)") }
        }
        if let extra = stored.values.min(by: { $0.id < $1.id }) {
            throw SimulationFailure("raw row too many: device \(extra.device), id \(extra.id)")
        }
    }
}
