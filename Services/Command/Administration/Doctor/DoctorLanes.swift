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
    /// Those that live there.
    let services: [ServiceName]
    let now: UnixMilliseconds
    /// Bytes that a lane's journal may have.
    let limitBytes: (LaneName) -> Int
    /// Names of services that have not taken in yet that the home was restored.
    private let unsettled: Set<String>

    init(
        home: Home, services: [ServiceName] = ServiceName.built, now: UnixMilliseconds,
        limitBytes: @escaping (LaneName) -> Int
    ) {
        self.home = home
        self.services = services
        self.now = now
        self.limitBytes = limitBytes
        let restoration = try? home.restoration()
        unsettled = Set(restoration.map { DoctorRestore(home: home).waiting($0).map(\.rawValue) } ?? [])
    }

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
        /// Files beside it in which the service keeps cursors of lanes, sorted.
        let others: [ReadOnlyDatabase]
        /// Such files that are readers of a name of their own.
        let parts: [(reader: String, database: ReadOnlyDatabase)]
    }

    /// Where a reader is in a lane, and what to move away so that it begins anew.
    private struct Place {
        let cursor: Position
        let away: String
    }

    /// A database that cannot be opened is a finding of ``DoctorDatabases``, with its cause.
    private func store(_ service: ServiceName, _ result: inout Result) -> Store? {
        guard let database = try? ReadOnlyDatabase(path: home.database(of: service)) else { return nil }
        let directory = home.directory(of: service)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let parts = HomeFiles.readers(service).filter { files.contains(($0 as NSString).lastPathComponent) }
        let others = files.filter { file in
            file.hasSuffix(".sqlite") && file != "state.sqlite" && !parts.contains("\(service.rawValue)/\(file)")
        }.sorted()
        return Store(
            service: service, database: database,
            others: others.compactMap { try? ReadOnlyDatabase(path: directory + "/" + $0) },
            parts: parts.compactMap { path in
                (try? ReadOnlyDatabase(path: "\(home.path)/\(path)")).map { (HomeFiles.reader(path), $0) }
            })
    }

    private func examine(_ lane: LaneName, of writer: Store, _ stores: [Store], _ result: inout Result) {
        do {
            guard let journal = try journal(lane, of: writer) else { return }
            result.newest = [result.newest, journal.newest].compactMap { $0 }.max()
            let readers = try readers(of: journal.summary, writer, stores)
            result.findings += readers.map { $0.finding(journal.summary) }
            result.lanes.append(journal.lane(readers: readers, writer: writer.service))
            result.findings += [journal.room(readers), opened(journal, of: writer)].compactMap { $0 }
        } catch {
            result.findings.append(.problem("lane \(lane.rawValue)", "its journal cannot be read: \(error)."))
        }
    }

    private func journal(_ lane: LaneName, of writer: Store) throws -> DoctorJournal? {
        guard let summary = try JournalSummary(lane: lane, from: writer.database) else { return nil }
        let newest = try writer.database.read { db in
            try Int64.fetchOne(db, sql: "SELECT MAX(committed_at) FROM lane_\(lane.rawValue)_blocks")
        }
        return DoctorJournal(summary: summary, newest: newest, limitBytes: limitBytes(lane))
    }

    private func place(_ lane: LaneName, of store: Store) throws -> Place? {
        if let cursor = try cursor(lane, in: store.database) {
            return Place(cursor: cursor, away: home.directory(of: store.service))
        }
        for file in store.others {
            if let cursor = try cursor(lane, in: file) { return Place(cursor: cursor, away: file.path + "*") }
        }
        return nil
    }

    private func cursor(_ lane: LaneName, in database: ReadOnlyDatabase) throws -> Position? {
        try database.read { db in try db.tableExists("cursors") ? Cursor.read(lane, db) : nil }
    }

    /// Who reads the lane: services with a cursor here, then those of whom only the writer knows.
    private func readers(of journal: JournalSummary, _ writer: Store, _ stores: [Store]) throws -> [DoctorReader] {
        var readers: [DoctorReader] = []
        for store in stores where store.service != writer.service {
            for part in store.parts {
                guard let cursor = try cursor(journal.lane, in: part.database) else { continue }
                readers.append(
                    try reader(
                        part.reader, at: cursor.block, cursor.generation, part.database.path + "*", of: journal,
                        writer))
            }
            guard let place = try place(journal.lane, of: store) else { continue }
            readers.append(
                try reader(
                    store.service.rawValue, at: place.cursor.block, place.cursor.generation, place.away, of: journal,
                    writer))
        }
        for entry in journal.readers where !readers.contains(where: { $0.name == entry.name }) {
            let away = home.path + "/" + entry.name
            readers.append(try reader(entry.name, at: entry.committed, nil, away, of: journal, writer))
        }
        return readers
    }

    private func reader(
        _ name: String, at block: UInt64, _ generation: UInt64?, _ away: String, of journal: JournalSummary,
        _ writer: Store
    ) throws -> DoctorReader {
        let since = try writer.database.read { db in
            try Journal.committedAt(firstAfter: block, of: journal.lane, db)
        }
        return DoctorReader(
            name: name, block: block, generation: generation, away: away,
            entry: journal.readers.first { $0.name == name },
            lagMilliseconds: since.map { max(now - $0, 0) } ?? 0,
            isRunning: service(of: name).map { HomeLock.isHeld(home, of: $0) } ?? false,
            isElsewhere: service(of: name).map { !services.contains($0) } ?? false,
            isRestored: unsettled.contains(service(of: name)?.rawValue ?? name)
                || unsettled.contains(writer.service.rawValue))
    }

    /// The service that a reader is, or is a part of.
    private func service(of reader: String) -> ServiceName? {
        ServiceName.allCases.first { reader == $0.rawValue || reader.hasPrefix($0.rawValue + "-") }
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
