internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights
internal import Wire

/// Callbacks of the provider: tells the edge how to recognise them, and takes those that came.
///
/// Confined to the thread of the effects, in their transactions.
struct CallbackBook {
    /// What a callback was; the words of the metric.
    enum Outcome: String, Sendable, CaseIterable {
        /// About an order that can be asked about: the provider is asked now.
        case heeded
        /// About an order of ours about which there is nothing to ask now: it is being asked about, or was not given.
        case idle
        /// About no order that is known here, or by a provider that is not in use.
        case foreign
        case unreadable
    }

    static let migration = Migration(
        "callbacks of providers",
        sql: """
            CREATE TABLE callback_secrets (
                provider TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID;
            CREATE INDEX grants_by_provider_id ON grants (provider_id) WHERE provider_id <> '';
            """)

    /// Of the provider in use; nil if it does not call.
    let secret: CallbackSecretDocument?

    /// Tells the edge the secret's hash unless it has been told, and withdraws those of other providers.
    func publish(_ emit: inout Emission, _ db: Database) throws {
        let told = try Row.fetchAll(db, sql: "SELECT provider, sha256 FROM callback_secrets").map {
            CallbackSecretDocument(provider: $0[0], sha256: $0[1])
        }
        let gone = told.filter { $0.provider != secret?.provider }
        if !gone.isEmpty {
            try emit.append(
                to: .rewards, kind: .callbackSecret, columns: .tombstones(gone.map { ($0.provider, nil) }))
            try db.execute(
                sql: "DELETE FROM callback_secrets WHERE provider <> ?", arguments: [secret?.provider ?? ""])
        }
        guard let secret, !told.contains(secret) else { return }
        try emit.append(to: .rewards, kind: .callbackSecret, columns: .documents([(secret.provider, secret)]))
        try db.execute(
            sql: "INSERT OR REPLACE INTO callback_secrets (provider, sha256) VALUES (?, ?)",
            arguments: [secret.provider, secret.sha256])
    }

    /// Takes the rows of a block of kind `provider_callback`: the provider is asked about their orders now.
    ///
    /// - Returns: how many had each outcome.
    func take(
        _ columns: Columns, now: UnixMilliseconds, _ store: RewardDispatcherStore, _ db: Database
    ) throws -> [Outcome: Int] {
        let documents = columns[ColumnID.document], decoder = JSONDecoder()
        var counts: [Outcome: Int] = [:]
        for row in 0..<columns.rowCount {
            let callback = documents?.value(row).flatMap {
                try? decoder.decode(ProviderCallbackDocument.self, from: Data($0))
            }
            counts[try callback.map { try heed($0, now, store, db) } ?? .unreadable, default: 0] += 1
        }
        return counts
    }

    private func heed(
        _ callback: ProviderCallbackDocument, _ now: UnixMilliseconds, _ store: RewardDispatcherStore, _ db: Database
    ) throws -> Outcome {
        guard let secret, callback.provider == secret.provider else { return .foreign }
        let names: [(RewardDispatcherStore.OrderName, String?)] = [
            (.reference, callback.reference), (.providerID, callback.providerID),
        ]
        for case (let name, let text?) in names where try store.isKnown(name, text, db) {
            return try store.wake(name, text, now, db) ? .heeded : .idle
        }
        return .foreign
    }
}
