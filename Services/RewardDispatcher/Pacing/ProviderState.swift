internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights

/// What everybody may know of how the provider is: told on the `rewards` lane when it changes. In the caller's transaction.
///
///     provider_state(document)   what was told last
struct ProviderState {
    static let migration = Migration(
        "how the provider is", sql: "CREATE TABLE provider_state (document BLOB NOT NULL) STRICT")

    private let name: String
    private var look: FloatNews.Look?
    private var told: ProviderStateDocument?

    /// - Parameter name: of the provider.
    init(_ name: String, _ db: Database) throws {
        self.name = name
        told = try Data.fetchOne(db, sql: "SELECT document FROM provider_state").flatMap {
            try? JSONDecoder().decode(ProviderStateDocument.self, from: $0)
        }
    }

    mutating func note(_ new: FloatNews.Look) { look = new }

    /// Tells how it is, if that is not known.
    ///
    /// - Parameters:
    ///   - isUnfunded: no orders are given, as nothing was left to pay from.
    ///   - isSilent: it is left alone, as it does not answer.
    mutating func tell(
        isUnfunded: Bool, isSilent: Bool, now: UnixMilliseconds, _ emit: inout Emission, _ db: Database
    ) throws {
        let isLow = look?.isLow ?? (told?.provider == name && told?.isLow == true)
        let isOld =
            told.map { $0.provider == name && ($0.isLow, $0.isUnfunded, $0.isSilent) == (isLow, isUnfunded, isSilent) }
            // Nothing is the matter, as nobody has said anything yet.
            ?? (!isLow && !isUnfunded && !isSilent)
        guard !isOld else { return }
        let document = ProviderStateDocument(
            provider: name, floatXAF: look?.left, lowFloatXAF: look?.low ?? told?.lowFloatXAF ?? 0, isLow: isLow,
            isUnfunded: isUnfunded, isSilent: isSilent, since: now)
        try db.execute(sql: "DELETE FROM provider_state")
        try db.execute(
            sql: "INSERT INTO provider_state (document) VALUES (?)",
            arguments: [Data(try SortedJSON.bytes(of: document))])
        try emit.append(to: .rewards, kind: .providerState, columns: .documents([("current", document)]))
        told = document
    }
}
