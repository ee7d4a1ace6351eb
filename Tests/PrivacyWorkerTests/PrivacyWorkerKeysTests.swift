import Foundation
import GRDB
import Models
import Storage
import TemporaryFiles
import Testing

@testable import PrivacyWorker
@testable import ServiceKit

struct PrivacyWorkerKeysTests {
    static let names = ["privacy-worker.audit.key", "privacy-worker.subjects.key", "privacy-worker.key"]
    private let directory: TemporaryDirectory
    private let configuration: PrivacyWorkerConfiguration

    init() throws {
        directory = try TemporaryDirectory()
        configuration = try PrivacyWorkerConfiguration(Settings(environment: ["NKUL_HOME": directory.path + "/home"]))
        try configuration.common.home.prepare(for: .privacyWorker, timeZone: "Africa/Douala")
    }

    private var home: Home { configuration.common.home }

    private func database() throws -> ServiceDatabase {
        try ServiceDatabase(
            path: home.database(of: .privacyWorker), migrations: PrivacyWorkerEffects.migrations)
    }

    /// Makes the keys and, in a closed database, what `sql` leaves of a log of one entry.
    private func begin(but sql: String = "") throws -> KeyStore {
        let store = try KeyStore(directory: home.keys)
        let keys = try PrivacyWorkerKeys(store, isBegun: false)
        let database = try database()
        try database.write { db in
            let entry = AuditEntry(
                number: 1, at: 0, actor: "privacy-worker", action: "log.opened", subject: [], detail: "{}",
                previous: AuditEntry.origin)
            try AuditLog(db).append(entry)
            try AuditLog(db).save(keys.audit.head(after: entry))
            try db.execute(sql: "DROP TRIGGER audit_entries_are_kept")
            if !sql.isEmpty { try db.execute(sql: sql) }
        }
        try database.close()
        return store
    }

    private func isRefusal(_ error: any Error, naming name: String, _ store: KeyStore) throws -> Bool {
        guard let error = error as? StorageError else { return false }
        return try error.code == .badKey && error.path == store.path(name) && store.existing(name) == nil
    }

    @Test(arguments: names, ["", "DELETE FROM audit_head", "DELETE FROM audit_entries"])
    func `a key that is gone is not made anew where there is a log`(name: String, remains: String) throws {
        let store = try begin(but: remains)
        try store.remove(name)
        #expect {
            _ = try buildPrivacyWorker(configuration, ServiceHost(.privacyWorker, home: home))
        } throws: {
            try isRefusal($0, naming: name, store)
        }
    }

    @Test(arguments: names)
    func `a verification makes no key`(name: String) async throws {
        let store = try begin()
        let verify = try #require(PrivacyWorkerActions.all.first { $0.flag == "--verify" })
        let host = ServiceHost(.privacyWorker, home: home)
        try store.remove(name)
        await #expect {
            try await verify.perform(configuration, host)
        } throws: {
            try isRefusal($0, naming: name, store)
        }
    }

    @Test func `a home without a log gets its keys`() throws {
        let database = try database()
        #expect(try !database.read { try AuditLog($0).isBegun() })
        try database.close()
        _ = try buildPrivacyWorker(configuration, ServiceHost(.privacyWorker, home: home))
        let store = try KeyStore(directory: home.keys)
        for name in Self.names { #expect(try store.existing(name)?.count == 32) }
    }
}
