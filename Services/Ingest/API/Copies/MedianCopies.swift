internal import Foundation
internal import GRDB
internal import Models
internal import QoE
internal import Releases
internal import Wire

/// Medians of download speeds, of what was released: what is usual at a place. Figures of at least k devices, about nobody.
///
///     median_drafts(release, level, code, kbps)            atoms whose release has not come yet
///     medians(network, class, level, code, kbps, …)        of each place the newest
///
/// A release of a day outweighs those of hours, which are there nine days earlier: where a network has any of a day, these count alone.
enum MedianCopies {
    static let tables = """
        CREATE TABLE median_drafts (
            release TEXT NOT NULL, level INTEGER NOT NULL, code INTEGER NOT NULL, kbps INTEGER NOT NULL,
            PRIMARY KEY (release, level, code)) WITHOUT ROWID;
        CREATE TABLE medians (
            network INTEGER NOT NULL, class INTEGER NOT NULL, level INTEGER NOT NULL, code INTEGER NOT NULL,
            kbps INTEGER NOT NULL, start INTEGER NOT NULL, made_at INTEGER NOT NULL,
            PRIMARY KEY (network, class, level, code)) WITHOUT ROWID;
        """

    /// What was released of longer ago says nothing of what is usual: 40 days.
    static let kept: UnixMilliseconds = 40 * 86_400_000

    /// Takes over the atoms of a block, until their releases come.
    static func takeAtoms(_ columns: Columns, now: UnixMilliseconds, _ db: Database) throws {
        let metric = Metric.download
        let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO median_drafts VALUES (?, ?, ?, ?)")
        var known: (id: Substring, isWanted: Bool) = ("", false)
        for record in StateRecord.all(of: columns) {
            guard let slash = record.key.lastIndex(of: "/") else { continue }
            let id = record.key[..<slash]
            if id != known.id { known = (id, isWanted(id, now)) }
            guard known.isWanted, let bytes = record.document,
                let atom = bytes.withUnsafeBytes({ ReleasedAtom($0) }), atom.metric == metric.rawValue
            else { continue }
            var sum = ReleasedSum()
            sum.add(atom.figures)
            guard let bin = sum.quantile(permille: 500).estimate else { continue }
            try insert.execute(arguments: [
                String(id), atom.cell?.level ?? 0, Int64(bitPattern: atom.cell?.code ?? 0), metric.bins.value(of: bin),
            ])
        }
    }

    /// Takes over a release, whose atoms have come; false if it is none.
    static func take(_ record: StateRecord, now: UnixMilliseconds, _ db: Database) throws -> Bool {
        guard let bytes = record.document,
            let head = try? JSONDecoder().decode(ReleaseDocument.self, from: Data(bytes)).head
        else { return false }
        // Steps of another profile, and bins of another table, mean something else.
        if head.profile == ReleaseRules.profile, head.binTable == BinTable.version,
            let network = PLMN(text: head.network),
            let kind = ReleaseClass(name: head.releaseClass), head.fromMs >= now - kept
        {
            try db.execute(
                sql: """
                    INSERT INTO medians SELECT ?1, ?2, level, code, kbps, ?3, ?4 FROM median_drafts WHERE release = ?5
                    ON CONFLICT DO UPDATE SET kbps = excluded.kbps, start = excluded.start, made_at = excluded.made_at
                        WHERE excluded.start >= start
                    """,
                arguments: [network.rawValue, Int64(kind.rawValue), head.fromMs, head.madeAtMs, head.id])
        }
        try db.execute(sql: "DELETE FROM median_drafts WHERE release = ?", arguments: [head.id])
        try db.execute(sql: "DELETE FROM medians WHERE start < ?", arguments: [now - kept])
        return true
    }

    /// Whether medians are taken of a release: of hours and days of mobile networks that are not long over.
    private static func isWanted(_ id: Substring, _ now: UnixMilliseconds) -> Bool {
        let parts = id.split(separator: "-")
        guard parts.count == 4, let kind = ReleaseClass(name: String(parts[0])), kind != .technology,
            parts[1] == Programme.qoe.name,
            let start = try? Date(
                String(parts[3]),
                strategy: Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
        else { return false }
        return UnixMilliseconds(start.timeIntervalSince1970) * 1_000 >= now - kept
    }
}

extension ReleasedMedians {
    /// The networks that are asked for and have any, with the class of release that counts.
    private static func networks(
        _ query: MedianQuery, since: UnixMilliseconds, _ db: Database
    ) throws -> [(network: Int64, kind: Int64)] {
        let kind = try db.cachedStatement(
            sql: "SELECT class FROM medians WHERE network = ? AND start >= ? ORDER BY class DESC LIMIT 1")
        var named = Set(query.networks.map(\.rawValue)).sorted()
        if named.isEmpty {
            named = try Int64.fetchAll(
                db,
                // Goes from network to network by the key: a GROUP BY would read all places.
                sql: """
                    WITH RECURSIVE networks(network) AS (
                        SELECT min(network) FROM medians
                        UNION ALL
                        SELECT (SELECT min(network) FROM medians WHERE network > networks.network) FROM networks
                        WHERE networks.network IS NOT NULL)
                    SELECT network FROM networks WHERE network IS NOT NULL
                    """)
        }
        return try named.compactMap { network in
            try Int64.fetchOne(kind, arguments: [network, since]).map { (network, $0) }
        }
    }

    /// Those that are asked for, of what is kept.
    init(_ query: MedianQuery, now: UnixMilliseconds, _ db: Database) throws {
        self.init()
        let since = now - MedianCopies.kept
        let networks = try Self.networks(query, since: since, db)
        let finest = query.near.isEmpty ? MedianQuery.levels.upperBound : Quadkey.finestLevel
        for level in [0] + Array(Quadkey.coarsestLevel...finest) {
            var found: [Median] = [], newest = madeAt
            for (network, kind) in networks {
                for codes in query.codes(of: level) {
                    let rows = try Row.fetchAll(
                        db.cachedStatement(
                            sql: """
                                SELECT code, kbps, made_at FROM medians
                                WHERE network = ? AND class = ? AND level = ? AND code BETWEEN ? AND ? AND start >= ?
                                LIMIT ?
                                """),
                        arguments: [
                            network, kind, level, codes.lowerBound, codes.upperBound, since, MedianQuery.most + 1,
                        ])
                    for row in rows {
                        let cell = level == 0 ? nil : Quadkey(level: level, code: UInt64(bitPattern: row[0]))
                        found.append(Median(network: PLMN(rawValue: network), cell: cell, kbps: row[1]))
                        newest = max(newest ?? 0, row[2])
                    }
                }
            }
            guard medians.count + found.count <= MedianQuery.most else { break }
            medians += found
            madeAt = newest
        }
    }
}

extension MedianQuery {
    /// The codes of a level that are asked for, each once.
    fileprivate func codes(of level: Int) -> [ClosedRange<Int64>] {
        let all = Int64(0)...(Int64(1) << Int64(2 * level)) - 1
        guard !near.isEmpty else { return [all] }
        let ranges = Set(
            near.map { cell -> ClosedRange<Int64> in
                guard cell.level <= level else {
                    let code = Int64(cell.parent(at: level).code)
                    return code...code
                }
                let shift = Int64(2 * (level - cell.level)), first = Int64(cell.code) << shift
                return first...first + (1 << shift) - 1
            })
        // One may lie in another.
        return ranges.filter { range in
            !ranges.contains { $0 != range && $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
        }
        .sorted { $0.lowerBound < $1.lowerBound }
    }
}
