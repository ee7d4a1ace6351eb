import Crypto
import ExporterOperations
import ExporterRows
import ExporterStores
import ExporterSupport
import Foundation
import GRDB
import Models
import Storage
import Synchronization
import Wire

/// Exports as a simulation drives them: job by job, without a thread, beside an ``OperationsScript``, and without waiting.
///
/// One for each life of an exporter; a file that was made is entered by a step of the engine soon after, or lost if the service
/// dies before.
final class ExportScript {
    let shelf: ExportShelf
    private let jobs: ExportJobs
    private let maker: ExportMaker
    private let changes: ChangeQueue
    private let database: ServiceDatabase
    /// Jobs that were handed to the engine.
    private var begun = 0
    private let over = Over()

    private final class Over: Sendable {
        /// Jobs that the engine has entered or refused.
        let answered = Atomic<Int>(0)
        /// Rounds up to this one are not to be entered any more.
        let withdrawn = Atomic<Int>(0)
    }

    static let pseudonymKey = SymmetricKey(data: [UInt8](repeating: 0, count: 32))
    private static let days = 7
    private static let settling: UnixMilliseconds = 200

    /// - Parameters:
    ///   - database: with ``ExporterStore/migrations``.
    ///   - directory: of the files, which a crash leaves.
    ///   - sealer: nil leaves files clear.
    ///   - lead: how long before its end an hour is taken to be whole: what comes after that comes late.
    init(
        database: ServiceDatabase, files: RawRowFiles, script: OperationsScript, directory: String,
        sealer: BlockSealer?,
        lead: UnixMilliseconds
    ) throws {
        shelf = try ExportShelf(files.layout, directory: directory, sealer: sealer, grace: -lead, database)
        jobs = try ExportJobs(
            shelf, rows: files.opener, state: database.reader(), pseudonymKey: Self.pseudonymKey,
            days: Self.days,
            settling: Self.settling)
        maker = ExportMaker(shelf, files.opener, pseudonymKey: Self.pseudonymKey)
        (changes, self.database) = (script.changes, database)
    }

    /// A tenant asks for its exports.
    func ask(for tenant: String, now: UnixMilliseconds) throws {
        try hand { db, _ in
            if let number = try TenantStore.find(tenant, db)?.number {
                try ExportStore.noteReader(number, now: now, db)
            }
            return (true, [])
        } done: {
        }
    }

    /// Makes the next file and hands it to the engine; ends the job before if that was entered.
    ///
    /// - Returns: true if something was made.
    func begin(now: UnixMilliseconds) throws -> Bool {
        guard begun == over.answered.load(ordering: .relaxed) else { return false }
        try jobs.end()
        guard let job = try jobs.next(now: now, systemNow: now) else { return false }
        begun += 1
        try hand({ [over, number = begun] db, now in
            // Its file is gone.
            guard number > over.withdrawn.load(ordering: .relaxed) else { return (false, []) }
            return try job.change(db, now)
        }) { [over] in
            over.answered.wrappingAdd(1, ordering: .relaxed)
        }
        return true
    }

    /// Makes everything that is due at a time, without the engine, which may go on afterwards. What still waits for it is
    /// withdrawn.
    ///
    /// - Returns: jobs that were done.
    @discardableResult
    func finish(now: UnixMilliseconds) throws -> Int {
        over.withdrawn.store(begun, ordering: .relaxed)
        try jobs.end()
        var made = 0
        while let job = try jobs.next(now: now, systemNow: now) {
            let isDone = try database.write { try job.change($0, now).0 }
            try jobs.end()
            try shelf.sweep(database)
            guard isDone else { return made }
            made += 1
        }
        return made
    }

    /// Files of hours that are current and have rows that are not there.
    ///
    /// - Parameter isWhole: files that miss a row, too, and files that belong to nothing.
    func faults(isWhole: Bool) throws -> [String] {
        let current = try database.read { try ExportStore.current($0) }
        var faults: [String] = []
        for export in current where isWhole || export.rows > 0 {
            guard let tenant = try tenant(export.tenant) else { continue }
            let path = shelf.directory + "/compared"
            let draft = try maker.make(
                export.span.start, of: tenant, shelf.ticket(export.span.start), now: 0, at: path)
            let reader = ExportReader(
                path: path, export: (export.tenant, export.span.start), sealer: shelf.sealer,
                length: draft!.export.bytes)
            let stored = try text(of: ExportParts([export], shelf)), fresh = try text(of: ExportParts(reader))
            try FileManager.default.removeItem(atPath: path)
            let lines = Set(fresh.split(separator: "\r\n"))
            let isRight = isWhole ? stored == fresh : lines.isSuperset(of: stored.split(separator: "\r\n"))
            if !isRight { faults.append("\(tenant.name): \(export.span.name)") }
        }
        guard isWhole else { return faults }
        return try faults
            + FileManager.default.contentsOfDirectory(atPath: shelf.directory).filter { name in
                !current.contains { shelf.path(of: $0).hasSuffix("/" + name) }
            }
    }

    /// Files that are current and have rows of a device.
    func files(with device: Int64) throws -> [String] {
        try database.read { try ExportStore.current($0) }.compactMap { export in
            guard let tenant = try tenant(export.tenant) else { return nil }
            var names = Pseudonyms(key: Self.pseudonymKey, tenant: tenant)
            let name = names.text(of: device, day: ReceivedDay.text(of: ReceivedHour.day(of: export.span.start)))
            let text = try text(of: ExportParts([export], shelf))
            return text.contains(String(decoding: name, as: UTF8.self)) ? "\(tenant.name): \(export.span.name)" : nil
        }
    }

    /// The highest version of any file.
    func newestVersion() throws -> Int64 {
        try database.read { try Int64.fetchOne($0, sql: "SELECT max(version) FROM exports") ?? 0 }
    }

    private func text(of parts: ExportParts) throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < Int(parts.length), let read = try parts.read(from: Int64(bytes.count)) { bytes += read }
        return String(decoding: try Inflater.inflate(bytes, limit: 1 << 28), as: UTF8.self)
    }

    private func tenant(_ number: Int64) throws -> Tenant? {
        try database.read { try TenantStore.living($0) }.first { $0.number == number }?.asTenant
    }

    private func hand(
        _ change: @escaping @Sendable (Database, UnixMilliseconds) throws -> (Bool, [OperationRecord]),
        done: @escaping @Sendable () -> Void
    ) throws {
        let job = ChangeJob(
            perform: { db, now in ChangeJob.Done(records: try change(db, now).1, answer: done) },
            // The journal was full.
            fail: { _ in done() })
        try changes.enqueue(job)()
    }
}
