internal import Channels
internal import Foundation
internal import GRDB
internal import Models
internal import ServiceKit

/// SQL of channels and tenants, in the caller's transaction.
struct ChannelStore {
    /// A channel as it came.
    struct Stored {
        let id: String
        let document: [UInt8]
        /// Why there is nobody any more; empty if there is.
        let gone: String
    }

    let db: Database

    init(_ db: Database) { self.db = db }

    /// Keeps a document; false if it is the one that is kept.
    func put(_ id: String, _ document: [UInt8]) throws -> Bool {
        let old = try Data.fetchOne(db, sql: "SELECT document FROM channels WHERE id = ?", arguments: [id])
        guard old.map({ Array($0) }) != document else { return false }
        try db.execute(
            sql: "INSERT OR REPLACE INTO channels (id, document) VALUES (?, ?)", arguments: [id, Data(document)])
        return true
    }

    func remove(_ id: String) throws { try db.execute(sql: "DELETE FROM channels WHERE id = ?", arguments: [id]) }

    func gone(_ id: String, _ reason: String) throws {
        try db.execute(sql: "UPDATE channels SET gone = ? WHERE id = ?", arguments: [reason, id])
    }

    func all() throws -> [Stored] {
        try Row.fetchAll(db, sql: "SELECT id, document, gone FROM channels ORDER BY id").map {
            Stored(id: $0[0], document: Array($0[1] as Data), gone: $0[2])
        }
    }

    func put(tenant name: String, _ document: [UInt8]?) throws {
        guard let document else {
            return try db.execute(sql: "DELETE FROM tenants WHERE name = ?", arguments: [name])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO tenants (name, document) VALUES (?, ?)", arguments: [name, Data(document)])
    }

    /// What each tenant owns; nil for a regulator.
    func tenants() throws -> [String: Set<Scope>?] {
        var tenants: [String: Set<Scope>?] = [:]
        tenants.updateValue(nil, forKey: "regulator")
        for row in try Row.fetchAll(db, sql: "SELECT document FROM tenants") {
            guard let document = try? JSONDecoder().decode(TenantDocument.self, from: row[0] as Data) else { continue }
            tenants.updateValue(document.isRegulator ? nil : document.owned, forKey: document.name)
        }
        return tenants
    }

    /// The id of the key that was published last.
    func publishedKey() throws -> String? { try String.fetchOne(db, sql: "SELECT id FROM channel_keys") }

    func published(_ id: String) throws {
        try db.execute(sql: "DELETE FROM channel_keys")
        try db.execute(sql: "INSERT INTO channel_keys (id) VALUES (?)", arguments: [id])
    }
}
