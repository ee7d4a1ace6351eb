public import GRDB

extension [HeldTable] {
    /// What of these tables goes by a column of time.
    public var retained: [any RetainedKind] {
        compactMap { table in
            guard case .until(let kind, let time, let unit, let bytes)? = table.rows?.kept else { return nil }
            return RetainedRows(kind, table: table.name, time: time, unit: unit, bytes: bytes)
        }
    }

    /// Kinds of lines in which a subscriber is shown what is in these tables.
    public var lines: Set<String> {
        Set(
            flatMap { table in
                guard case .lines(let kinds)? = table.rows?.copied else { return [String]() }
                return kinds
            })
    }

    /// What is wrong with these declarations of a database: tables that are not declared, and tables or columns that are declared
    /// and not there; in words. Tables of the engine need not be there.
    public func faults(in db: Database) throws -> [String] {
        let there = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        let declared = self + HeldTable.ofEveryService
        let undeclared = there.filter { table in !declared.contains { $0.stands(for: table) } }
        return undeclared.sorted().map { "table \($0) is not declared" }
            + (filter { !$0.mayBeAbsent && !there.contains($0.name) }.map {
                "table \($0.name) is declared and not there"
            })
            + (try filter { there.contains($0.name) }.flatMap { try $0.missingColumns(db) })
    }
}

extension HeldTable {
    /// Tables that the engine itself has in the database of every service.
    package static let ofEveryService: [HeldTable] = [
        .free("cursors", "how far lanes are read"),
        .free("restores", "when the home was restored"),
        .free("restored_lanes", "what became of lanes in a restored home"),
        .free("lane_*_state", "how far a lane is written"),
        .personal(
            "lane_*_blocks",
            PersonalRows(
                of: nil, erased: .by("ErasureExecutor: blocks of the subject are rewritten"),
                copied: .none("who reads a lane gives what it keeps of it"),
                kept: .asLongAs("a reader needs it; the age of the oldest is reported as journals"))),
        .free("lane_*_readers", "services that read a lane"),
        .personal(
            "lane_*_keys",
            PersonalRows(
                of: nil, erased: .by("ErasureExecutor: keys of removed rows go with their blocks"),
                copied: .none("names of what is told on the lane"), kept: .asLongAs("its row on the lane"))),
        .personal(
            "erasures",
            PersonalRows(
                of: "device", erased: .by("ErasureExecutor: the device is forgotten when nothing of it is left"),
                copied: .none("ingest shows requests for erasure"), kept: .asLongAs("the erasure"))),
        .free("erasure_receipts", "which services have signed a request"),
        .free("erasure_keys", "own keys that were announced"),
        .personal(
            "access_orders",
            PersonalRows(
                of: "device", erased: .by("AccessExecutor: requests go first"),
                copied: .none("ingest shows requests for access"), kept: .asLongAs("the request"))),
        .free("retention_work", "what is to be retired, by kinds"),
        .free("retention_counts", "how much was retired, by kinds"),
    ]

    /// Whether it is the declaration of a table.
    func stands(for table: String) -> Bool {
        let parts = name.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return name == table }
        return table.count > parts[0].count + parts[1].count && table.hasPrefix(parts[0]) && table.hasSuffix(parts[1])
    }

    func missingColumns(_ db: Database) throws -> [String] {
        guard let rows else { return [] }
        var named = [rows.owner].compactMap(\.self)
        if let scope = rows.scope { named += [scope.time, scope.alarm] + scope.key }
        if case .until(_, let time, _, _) = rows.kept { named.append(time) }
        let columns = Set(try db.columns(in: name).map(\.name))
        return named.filter { !columns.contains($0) }.map { "table \(name) has no column \($0)" }
    }
}
