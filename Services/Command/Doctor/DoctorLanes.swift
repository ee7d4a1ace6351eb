import Foundation
import GRDB
import Lanes
import Models
import ServiceKit
import Storage
import Wire

/// Looks at the journals and the cursors of a home's services: heads, lag, generations, and whether the newest blocks open.
struct DoctorLanes {
    struct Result {
        var findings: [DoctorFinding] = []
        var lanes: [DoctorLane] = []
        /// When the newest block of all was committed.
        var newest: UnixMilliseconds?
    }

    let home: Home

    /// This many of a journal's newest blocks are opened and decoded.
    static let openedBlocks: UInt64 = 16

    func examine() -> Result {
        var result = Result()
        let stores = ServiceName.allCases.compactMap { store($0, &result) }
        for writer in stores {
            for lane in LaneName.allCases { examine(lane, of: writer, stores, &result) }
        }
        return result
    }

    private struct Store {
        let service: ServiceName
        let database: ReadOnlyDatabase
    }

    /// A database that cannot be opened is a finding of ``DoctorDatabases``, with its cause.
    private func store(_ service: ServiceName, _ result: inout Result) -> Store? {
        guard let database = try? ReadOnlyDatabase(path: home.database(of: service)) else { return nil }
        return Store(service: service, database: database)
    }

    private func examine(_ lane: LaneName, of writer: Store, _ stores: [Store], _ result: inout Result) {
        do {
            guard let journal = try journal(lane, of: writer) else { return }
            result.newest = [result.newest, journal.newest].compactMap { $0 }.max()
            var readers: [DoctorLane.Reader] = []
            for store in stores where store.service != writer.service {
                guard let cursor = try cursor(lane, of: store) else { continue }
                result.findings.append(Self.finding(cursor, of: store.service, journal))
                readers.append(Self.reader(cursor, store.service, journal))
            }
            result.lanes.append(journal.lane(readers: readers, writer: writer.service))
            result.findings += journal.missing()
            result.findings.append(opened(journal, of: writer))
        } catch {
            result.findings.append(.problem("lane \(lane.rawValue)", "its journal cannot be read: \(error)."))
        }
    }

    private func journal(_ lane: LaneName, of writer: Store) throws -> DoctorJournal? {
        guard let summary = try JournalSummary(lane: lane, from: writer.database) else { return nil }
        let newest = try writer.database.read { db in
            try Int64.fetchOne(db, sql: "SELECT MAX(committed_at) FROM lane_\(lane.rawValue)_blocks")
        }
        return DoctorJournal(summary: summary, newest: newest)
    }

    private func cursor(_ lane: LaneName, of store: Store) throws -> Position? {
        try store.database.read { db in try db.tableExists("cursors") ? Cursor.read(lane, db) : nil }
    }

    private static func finding(_ cursor: Position, of reader: ServiceName, _ journal: DoctorJournal) -> DoctorFinding {
        let subject = "lane \(journal.summary.lane.rawValue) → \(reader.rawValue)"
        if cursor.generation != journal.summary.generation {
            return .problem(
                subject,
                "the reader follows generation \(cursor.generation), the journal is \(journal.summary.generation): one of"
                    + " them was restored or lost.")
        }
        if cursor.block > journal.summary.head {
            return .problem(
                subject,
                "the reader is at block \(cursor.block), ahead of the head \(journal.summary.head): the journal was"
                    + " restored from an older copy.")
        }
        let behind = journal.summary.head - cursor.block
        return .sound(subject, behind == 0 ? "up to date at block \(cursor.block)." : "\(behind) blocks behind.")
    }

    private static func reader(
        _ cursor: Position, _ service: ServiceName, _ journal: DoctorJournal
    ) -> DoctorLane.Reader {
        DoctorLane.Reader(
            service: service.rawValue, block: cursor.block,
            behind: journal.summary.head - min(journal.summary.head, cursor.block))
    }

    /// Opens and decodes the newest blocks.
    private func opened(_ journal: DoctorJournal, of writer: Store) -> DoctorFinding {
        let subject = "lane \(journal.summary.lane.rawValue)"
        guard journal.summary.head > 0 else {
            return .sound(subject, "empty, generation \(journal.summary.generation).")
        }
        let after = journal.summary.head - min(journal.summary.head, Self.openedBlocks)
        do {
            let page = try Journal.read(
                lane: journal.summary.lane, from: writer.database, after: after, sealer: try sealer(of: writer.service))
            var decoder = ColumnDecoder()
            for block in page.blocks { _ = try block.columns(with: &decoder) }
            return .sound(
                subject,
                "head \(journal.summary.head), generation \(journal.summary.generation); its newest \(page.blocks.count) blocks open."
            )
        } catch {
            return .problem(subject, "head \(journal.summary.head); one of its newest blocks cannot be read: \(error).")
        }
    }

    /// The service's key if it has one; nothing is made that is missing.
    private func sealer(of service: ServiceName) throws -> BlockSealer? {
        guard FileManager.default.fileExists(atPath: home.keys) else { return nil }
        let key = try KeyStore(directory: home.keys).existing("\(service.rawValue).key")
        return key.flatMap { $0.count == 32 ? BlockSealer(key: $0) : nil }
    }
}
