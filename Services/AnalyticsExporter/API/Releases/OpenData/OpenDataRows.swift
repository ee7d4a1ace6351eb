internal import ExporterStores
internal import ExporterSupport
internal import Models
internal import Releases

/// The lines of a release's open data: the atoms of its metrics in their common order, a page of each in memory.
struct OpenDataRows {
    /// Atoms of a metric that are read at once.
    private static let page = 1_024

    /// The atoms of one metric, in their order.
    private struct Atoms {
        let metric: UInt8
        /// Of the next atom that is not in memory; nil where there is none.
        var place: Int?
        var page: ArraySlice<ReleasedAtom> = []
    }

    private let state: StateReaders
    private let release: Int64
    private var atoms: [Atoms]

    init(_ release: Int64, _ table: OpenDataTable, _ state: StateReaders) async throws {
        self.state = state
        self.release = release
        atoms = try await state.read { db in
            try table.columns.map { column in
                Atoms(metric: column.number, place: try ReleaseStore.place(of: column.number, in: release, db))
            }
        }
    }

    /// The next lines; empty at the end.
    mutating func next(atMost limit: Int) async throws -> [OpenDataTable.Row] {
        var rows: [OpenDataTable.Row] = []
        while rows.count < limit {
            for number in atoms.indices where atoms[number].page.isEmpty { try await fill(number) }
            let keys = atoms.map { $0.page.first.map(OpenDataTable.Key.init) }
            guard let key = keys.compactMap({ $0 }).min() else { break }
            var row = OpenDataTable.Row(key: key, cell: Carry.cell(at: key.order), figures: [])
            for number in atoms.indices {
                row.figures.append(keys[number] == key ? atoms[number].page.removeFirst().figures : nil)
            }
            rows.append(row)
        }
        return rows
    }

    private mutating func fill(_ number: Int) async throws {
        guard let place = atoms[number].place else { return }
        let release = release, metric = atoms[number].metric
        let read = try await state.read { db in
            try ReleaseStore.atoms(of: release, from: place, limit: Self.page, db)
        }
        let page = read.prefix { $0.metric == metric }
        atoms[number].page = page
        atoms[number].place = page.count == Self.page ? place + page.count : nil
    }
}
