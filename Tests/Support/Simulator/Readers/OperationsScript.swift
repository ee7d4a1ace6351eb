import AnalyticsExporter
import ExporterOperations
import ExporterRows
import ExporterSupport
import Foundation
import GRDB
import Models
import Storage
import Synchronization

/// Changes that operators ask for, without control sockets and without waiting: for simulations.
///
/// What is asked for is made by a step of the engine soon after, in one transaction with what goes to the `operations`
/// lane, or forgotten if the service dies before: ``takeDone()`` says what was made. Each change has a ticket, any number.
final class OperationsScript: Sendable {
    let changes: ChangeQueue
    private let done = Mutex<[Int]>([])

    /// - Parameter database: with ``ExporterStore/migrations``.
    init(_ database: ServiceDatabase) throws {
        changes = try ChangeQueue(database, builtIn: SecretDigest(of: "regulator"))
    }

    /// Adds a tenant; its key is no key.
    func addTenant(_ name: String, plmns: [String], isRegulator: Bool, ticket: Int) throws {
        let new = try NewTenant(name: name, plmns: plmns, isRegulator: isRegulator, showsOriginalIDs: false)
        let contact = ContactDocument(tenant: name, name: "manager", role: .manager)
        try ask(ticket) { db, now in
            try TenantChanges.add(
                new, contact, clientPublicKey: String(repeating: "0", count: 40), token: SecretDigest(of: name),
                now: now, db
            ).1
        }
    }

    func removeTenant(_ name: String, ticket: Int) throws {
        try ask(ticket) { db, now in try TenantChanges.remove(name, now: now, db).1 }
    }

    /// Puts a campaign in the place of that with its id.
    func set(_ campaign: CampaignDocument, ticket: Int) throws {
        try ask(ticket) { db, _ in
            let record = try OperationRecord(.campaign, key: campaign.id, campaign)
            try DocumentStore.put(record, db)
            return [record]
        }
    }

    func removeCampaign(_ id: String, ticket: Int) throws {
        try ask(ticket) { db, _ in
            try DocumentStore.remove(id, of: .campaign, db)
            return [OperationRecord(removed: id, of: .campaign)]
        }
    }

    /// Puts a rule or a channel in the place of that with its name.
    func set(_ document: OperationRecord, ticket: Int) throws {
        try ask(ticket) { db, _ in
            try DocumentStore.put(document, db)
            return [document]
        }
    }

    func remove(_ id: String, of kind: RecordKind, ticket: Int) throws {
        try ask(ticket) { db, _ in
            try DocumentStore.remove(id, of: kind, db)
            return [OperationRecord(removed: id, of: kind)]
        }
    }

    /// Passes on what a contact wants done to an alarm.
    func act(_ command: AlarmCommand, ticket: Int) throws {
        try ask(ticket) { _, _ in [try OperationRecord(.alarmCommand, key: command.task, command)] }
    }

    /// Tickets of the changes that were committed since the last call, in their order.
    func takeDone() -> [Int] {
        done.withLock { done in
            defer { done = [] }
            return done
        }
    }

    private func ask(
        _ ticket: Int, _ change: @escaping @Sendable (Database, UnixMilliseconds) throws -> [OperationRecord]
    ) throws {
        let job = ChangeJob(
            perform: { [self] db, now in
                ChangeJob.Done(records: try change(db, now)) { [self] in done.withLock { $0.append(ticket) } }
            }, fail: { _ in })
        try changes.enqueue(job)()
    }
}

extension ExporterEffects {
    /// Effects of lanes, and of changes by a script; the engine must write the lane `operations`.
    ///
    /// - Parameter exports: of the same database and files.
    convenience init(
        database: ServiceDatabase, files: RawRowFiles, script: OperationsScript, exports: ExportScript
    ) throws {
        try self.init(
            database: database, files: files, exports: exports.shelf, changes: script.changes, zone: .gmt,
            pseudonymKey: ExportScript.pseudonymKey
        ) { _, _ in }
    }
}
