package import ExporterRows
package import ExporterSupport
internal import Hummingbird
package import Models
internal import NIOCore
internal import ServiceKit

/// `POST /v1/rules/{id}/test`: what a rule would have found in the last days, and what the rule in its place did.
///
/// It runs what the router runs, over the raw rows that the caller may see, within bounds of rows and time.
package struct RuleTestService: Sendable {
    /// The longest period.
    static let longest: UnixMilliseconds = 7 * 86_400_000
    private static let usual: UnixMilliseconds = 86_400_000
    private static let mostBytes = 131_072

    let rules: DocumentService
    let rows: RawRowFiles.Opener
    let gate: Gate
    let permits: Permits
    let trust: TrustPolicy
    private let thread = ReadingThread("rule tests")

    /// - Parameters:
    ///   - permits: of tests at once.
    ///   - trust: whose rows count in alarms.
    package init(
        _ rules: DocumentService, rows: RawRowFiles.Opener, gate: Gate, permits: Permits, trust: TrustPolicy
    ) {
        self.rules = rules
        self.rows = rows
        self.gate = gate
        self.permits = permits
        self.trust = trust
    }

    func respond(_ id: String, _ request: Request, of caller: Caller, now: UnixMilliseconds) async throws -> Response {
        try gate.checkManager(caller, request)
        let order = try await order(request, now: now), programmes = rows.layout.programmes
        let change = try await rules.change(id, to: order.document, by: caller.tenant, programmes)
        let run = RuleTestRun(
            change: change, period: order.period, scope: caller.tenant.scope, trust: trust, programmes: programmes,
            now: now)
        // Held here, and not by the thread, which may give it back only after the next one was asked for.
        let seat = try permits.seat()
        defer { withExtendedLifetime(seat) {} }
        let found = try await thread.run { [rows] in try rows.unchanged { try run.run(rows) } }
        let document = RuleTestDocument(id: id, run: run, found: found).members
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: document.text)))
    }

    /// What is to be tested, and on which time.
    private func order(_ request: Request, now: UnixMilliseconds) async throws -> (
        document: JSONValue?, period: Range<UnixMilliseconds>
    ) {
        let body = try await ManagedDocuments.object(request, most: Self.mostBytes), members = body.object ?? [:]
        let known = ["document", "from", "to"]
        if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw DocumentRefusal(other, "is unknown", allowed: "one of " + known.joined(separator: ", "))
        }
        // `nil` would be the JSON value.
        let document = members["document"].flatMap { $0 == .null ? Optional<JSONValue>.none : $0 }
        if let document, document.object == nil {
            throw DocumentRefusal("document", "is no object", allowed: "a rule")
        }
        let given = ["from", "to"].compactMap { name in
            members[name].flatMap { $0 == .null ? nil : (key: name, value: $0.string ?? $0.text) }
        }
        let parameters = try QueryParameters(given, known: known)
        let to = min(try parameters.instant("to") ?? now, now)
        let from = try parameters.instant("from") ?? to - Self.usual
        guard from < to else { throw ParameterFault("from", "\(Timestamp.text(from)) is not before to, or not yet") }
        guard to - from <= Self.longest else {
            throw ParameterFault("from", "a test is of at most \(Self.longest / 86_400_000) days", code: "too_long")
        }
        return (document, from..<to)
    }
}
