internal import Foundation
package import GRDB
package import Models
package import Releases
internal import Storage
package import Wire

/// Releases, as the aggregator issued them. What is stored is never changed, and served once all atoms are there: a reader that begins anew may
/// meet a release before its atoms. Every function runs in the caller's transaction.
///
///     releases(number, id, …)              `document` is the ``ReleaseDocument``; none until it has come
///     release_atoms(release, place, …)     in the order of the release's text; `atom` as ``ReleasedAtom`` draws it
///     release_rounds(class, start, …)      what was made when, and why there is none
package enum ReleaseStore {
    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE releases (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, class TEXT, network TEXT, start INTEGER,
                    atoms INTEGER, stored INTEGER NOT NULL DEFAULT 0, document BLOB) STRICT;
                CREATE INDEX releases_by_time ON releases (start, id) WHERE document IS NOT NULL;
                CREATE TABLE release_atoms (
                    release INTEGER NOT NULL, place INTEGER NOT NULL, metric INTEGER NOT NULL, hour INTEGER NOT NULL,
                    stratum INTEGER NOT NULL, level INTEGER NOT NULL, quadkey INTEGER NOT NULL, atom BLOB NOT NULL,
                    PRIMARY KEY (release, place)) STRICT, WITHOUT ROWID;
                CREATE TABLE release_rounds (
                    class TEXT NOT NULL, start INTEGER NOT NULL, document BLOB NOT NULL,
                    PRIMARY KEY (class, start)) STRICT, WITHOUT ROWID;
                """)
    }

    // MARK: From the lane

    /// Takes over the rows of a block of kind `release_atom`.
    package static func applyAtoms(_ columns: Columns, in db: Database) throws {
        guard let keys = columns[ColumnID.key], let atoms = columns[ColumnID.document] else { return }
        let insert = try PreparedStatement(
            db, "INSERT OR IGNORE INTO release_atoms VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        var present: (id: Substring, number: Int64) = ("", 0), added: Int64 = 0, isWhole = false
        for row in 0..<columns.rowCount {
            let key = keys.value(row).map { String(decoding: $0, as: UTF8.self) } ?? ""
            guard let slash = key.lastIndex(of: "/"), let place = Int64(key[key.index(after: slash)...]) else {
                throw WireError.corrupt(what: "key of an atom of a release")
            }
            if key[..<slash] != present.id {
                try count(added, of: present.number, db)
                present = (key[..<slash], try number(of: String(key[..<slash]), db))
                (added, isWhole) = (0, try Self.isWhole(present.number, db))
            }
            // It came before, and is not changed.
            guard !isWhole else { continue }
            try atoms.withBytes(row) { bytes in
                guard let atom = ReleasedAtom(bytes) else { throw WireError.corrupt(what: "atom of a release") }
                let values: [Int64] = [
                    present.number, place, Int64(atom.metric), Int64(atom.hour), Int64(atom.stratum),
                    Int64(atom.cell?.level ?? 0), Int64(bitPattern: atom.cell?.code ?? 0),
                ]
                for (column, value) in values.enumerated() { insert.bind(value, Int32(column + 1)) }
                insert.bind(bytes, 8)
                try insert.run()
                added += Int64(db.changesCount)
            }
        }
        try count(added, of: present.number, db)
    }

    /// Takes over the rows of a block of kind `release`.
    package static func apply(_ columns: Columns, in db: Database) throws {
        for (bytes, document) in try documents(ReleaseDocument.self, columns) {
            let head = document.head
            try db.execute(
                sql: """
                    UPDATE releases SET class = ?, network = ?, start = ?, atoms = ?, document = ?
                    WHERE number = ? AND document IS NULL
                    """,
                arguments: [
                    head.releaseClass, head.network, head.fromMs, head.atoms, Blob.value(bytes),
                    number(of: head.id, db),
                ])
        }
    }

    /// Takes over the rows of a block of kind `release_round`.
    package static func applyRounds(_ columns: Columns, in db: Database) throws {
        for (bytes, document) in try documents(ReleaseRoundDocument.self, columns) {
            try db.execute(
                sql: "INSERT OR REPLACE INTO release_rounds VALUES (?, ?, ?)",
                arguments: [document.releaseClass, document.fromMs, Blob.value(bytes)])
        }
    }

    private static func documents<Document: Decodable>(
        _ type: Document.Type, _ columns: Columns
    ) throws -> [(bytes: [UInt8], document: Document)] {
        guard let column = columns[ColumnID.document] else { return [] }
        let decoder = JSONDecoder()
        return try (0..<columns.rowCount).compactMap { column.value($0).map(Array.init) }
            .map { ($0, try decoder.decode(type, from: Data($0))) }
    }

    /// The number of a release, which gets one.
    private static func number(of id: String, _ db: Database) throws -> Int64 {
        let select = "SELECT number FROM releases WHERE id = ?"
        if let number = try Int64.fetchOne(db.cachedStatement(sql: select), arguments: [id]) { return number }
        try db.execute(sql: "INSERT INTO releases (id) VALUES (?)", arguments: [id])
        return db.lastInsertedRowID
    }

    private static func isWhole(_ release: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT \(complete) FROM releases WHERE number = ?"), arguments: [release]) ?? false
    }

    private static func count(_ atoms: Int64, of release: Int64, _ db: Database) throws {
        guard atoms > 0 else { return }
        try db.execute(sql: "UPDATE releases SET stored = stored + ? WHERE number = ?", arguments: [atoms, release])
    }

    // MARK: For answers

    private static let complete = "document IS NOT NULL AND stored = atoms"

    /// A release, and the number of its atoms' table; nil if it is not there, or not whole.
    package static func find(_ id: String, _ db: Database) throws -> (number: Int64, document: ReleaseDocument)? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, document FROM releases WHERE id = ? AND \(complete)"),
            arguments: [id]
        ).map { ($0[0], try JSONDecoder().decode(ReleaseDocument.self, from: Data(Blob.bytes($0, 1)))) }
    }

    /// Releases whose time begins within a period, ascending by it.
    ///
    /// - Parameters:
    ///   - kind: nil for all.
    ///   - network: its text; nil for all.
    ///   - after: the release that they follow.
    package static func list(
        _ kind: String?, _ network: String?, starts: Range<UnixMilliseconds>, after: String?, limit: Int, _ db: Database
    ) throws -> [ReleaseDocument] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT document FROM releases
                WHERE \(complete) AND start >= ?1 AND start < ?2 AND (?3 IS NULL OR class = ?3)
                    AND (?4 IS NULL OR network = ?4)
                    AND (?5 IS NULL OR (start, id) > ((SELECT start FROM releases WHERE id = ?5), ?5))
                ORDER BY start, id LIMIT ?6
                """, arguments: [starts.lowerBound, starts.upperBound, kind, network, after, limit]
        ).map { try JSONDecoder().decode(ReleaseDocument.self, from: Data(Blob.bytes($0, 0))) }
    }

    /// What was made last of each class.
    package static func lastRounds(_ db: Database) throws -> [ReleaseRoundDocument] {
        try ReleaseClass.allCases.compactMap { kind in
            try Row.fetchOne(
                db, sql: "SELECT document FROM release_rounds WHERE class = ? ORDER BY start DESC LIMIT 1",
                arguments: [kind.name]
            ).map { try JSONDecoder().decode(ReleaseRoundDocument.self, from: Data(Blob.bytes($0, 0))) }
        }
    }

    /// What was made of a period.
    package enum Rounds: Sendable {
        case notYet
        /// Nothing, as all of it belongs to days that had begun before the home was restored.
        case restored
        case made
    }

    /// What was made of the hours and days that begin within a period.
    ///
    /// - Parameter kind: nil for all.
    package static func rounds(
        _ kind: String?, in period: Range<UnixMilliseconds>, _ db: Database
    ) throws -> Rounds {
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT document FROM release_rounds WHERE start >= ?1 AND start < ?2 AND (?3 IS NULL OR class = ?3)",
            arguments: [period.lowerBound, period.upperBound, kind])
        let decoder = JSONDecoder()
        var found = Rounds.notYet
        // Mostly the first one tells.
        while let row = try rows.next() {
            let round = try decoder.decode(ReleaseRoundDocument.self, from: Data(Blob.bytes(row, 0)))
            guard round.reason == .restored else { return .made }
            found = .restored
        }
        return found
    }

    /// The next atoms of a release, in order, from a place on.
    package static func atoms(
        of release: Int64, from place: Int, limit: Int, _ db: Database
    ) throws -> [ReleasedAtom] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT atom FROM release_atoms WHERE release = ? AND place >= ? ORDER BY place LIMIT ?"),
            arguments: [release, place, limit]
        ).map { row in
            guard let atom = Blob.bytes(row, 0).withUnsafeBytes({ ReleasedAtom($0) }) else {
                throw WireError.corrupt(what: "atom of a release")
            }
            return atom
        }
    }

    /// The place of the first atom of a metric; nil where there is none.
    package static func place(of metric: UInt8, in release: Int64, _ db: Database) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT min(place) FROM release_atoms WHERE release = ? AND metric = ?"),
            arguments: [release, metric])
    }

    /// The metric that has most atoms; nil where there are none.
    package static func commonestMetric(of release: Int64, _ db: Database) throws -> UInt8? {
        try UInt8.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT metric FROM release_atoms WHERE release = ? GROUP BY metric ORDER BY count(*) DESC, metric
                    LIMIT 1
                    """), arguments: [release])
    }

    /// The atoms of a metric of which something holds, in order.
    package static func atoms(
        of release: Int64, metric: UInt8, _ db: Database, where holds: (ReleasedAtom) -> Bool
    ) throws -> [ReleasedAtom] {
        guard var place = try place(of: metric, in: release, db) else { return [] }
        var found: [ReleasedAtom] = []
        while true {
            let page = try atoms(of: release, from: place, limit: 1_024, db)
            let ours = page.prefix { $0.metric == metric }
            found += ours.filter(holds)
            guard ours.count == page.count, !page.isEmpty else { return found }
            place += page.count
        }
    }
}
