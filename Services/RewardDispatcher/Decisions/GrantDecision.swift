internal import GRDB
internal import Models
internal import ServiceKit

/// What a person decided about a grant that the provider cannot be asked about, or that is suspected.
struct GrantDecision: Sendable, Equatable {
    let grant: GrantID
    let result: DecidedResult
    /// Who decided, as they said.
    let by: String
    /// Why, in their words.
    let why: String

    /// `{grant, as, by, why}` on the control socket.
    ///
    /// - Throws: `ControlError` naming the argument at fault.
    init(_ arguments: JSONValue) throws {
        let name = try arguments.text("grant"), word = try arguments.text("as")
        guard name.utf8.count == 32, name.allSatisfy(\.isHexDigit) else {
            throw ControlError.argument("grant", "is \"\(name.prefix(40))\"; expected 32 hexadecimal digits")
        }
        guard let result = DecidedResult(rawValue: word) else {
            let words = DecidedResult.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError.argument("as", "is \"\(word.prefix(32))\"; expected one of \(words)")
        }
        grant = GrantID(stored: name.lowercased())
        self.result = result
        by = try Self.words(arguments, "by")
        why = try Self.words(arguments, "why")
    }

    init(_ grant: GrantID, _ result: DecidedResult, by: String, why: String) {
        self.grant = grant
        self.result = result
        self.by = by
        self.why = why
    }

    private static func words(_ arguments: JSONValue, _ name: String) throws -> String {
        let text = try arguments.text(name)
        guard (1...ProviderText.mostCharacters).contains(text.count) else {
            throw ControlError.argument(
                name, "has \(text.count) characters; expected 1…\(ProviderText.mostCharacters)")
        }
        return ProviderText.masked(text)
    }
}

/// Decisions on their way into the books: a person is told that they are taken once they are on disk, and the next step books them.
/// Every function runs in the caller's transaction.
struct GrantDecisionStore {
    func add(_ decision: GrantDecision, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO grant_decisions (grant_id, result, decider, why) VALUES (?, ?, ?, ?)",
            arguments: [decision.grant.text, decision.result.rawValue, decision.by, decision.why])
    }

    /// Those that wait, in the order in which they were made.
    func all(_ db: Database) throws -> [GrantDecision] {
        try Row.fetchAll(db, sql: "SELECT grant_id, result, decider, why FROM grant_decisions ORDER BY number")
            .compactMap { row in
                DecidedResult(rawValue: row[1]).map {
                    GrantDecision(GrantID(stored: row[0]), $0, by: row[2], why: row[3])
                }
            }
    }

    func clear(_ db: Database) throws { try db.execute(sql: "DELETE FROM grant_decisions") }
}
