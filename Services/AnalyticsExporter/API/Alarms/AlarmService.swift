package import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import NIOCore
internal import ServiceKit

/// `GET /v1/alarms`, one of them by its `href`, and the stream of their changes.
package struct AlarmService: Sendable {
    /// Changes that are read and sent at once.
    private static let pageChanges = 200
    /// Silence after which a stream says that it is alive, when the next wake-up comes.
    private static let heartbeat = Duration.seconds(10)

    let state: StateReaders
    let alarmChanges: ChangeBroadcast
    let permits: Permits
    let allowed: StillAllowed
    let freshness: Freshness

    package init(
        state: StateReaders, alarmChanges: ChangeBroadcast, permits: Permits, allowed: StillAllowed,
        freshness: Freshness
    ) {
        self.state = state
        self.alarmChanges = alarmChanges
        self.permits = permits
        self.allowed = allowed
        self.freshness = freshness
    }

    /// Names of the parameters of the list.
    static let parameters = AlarmFilter.Spelling.own.names + paging
    private static let paging = ["cursor", "limit"]
    /// Alarms of a page.
    static let limits = 1...1_000

    /// Alarms in scope as they are now, in the order of their identifiers, and the event id from which the stream continues.
    func list(_ request: Request, of tenant: Tenant) async throws -> Response {
        let parameters = try QueryParameters(pairs(of: request), known: Self.parameters)
        let filter = try AlarmFilter(
            pairs(of: request).filter { !Self.paging.contains($0.key) }, spelled: .own)
        _ = try parameters.period(from: 0, to: .max)
        let limit = try parameters.integer("limit", in: Self.limits) ?? Self.limits.upperBound
        let after = parameters.text("cursor") ?? ""
        guard after.isEmpty || Self.isIdentifier(after) else {
            throw ParameterFault("cursor", "\"\(after)\": expected the value of next of the page before")
        }
        let completeTo = freshness.completeTo(.alarms)
        let (page, last) = try await state.read { db in
            (try AlarmStore.page(filter, after: after, limit: limit, tenant, db), try AlarmStore.last(db))
        }
        let moment = completeTo.map { "\"\(SystemTime.text($0))\"" } ?? "null"
        let milliseconds = completeTo.map(String.init) ?? "null"
        var text = Array(
            "{\"last_event_id\":\(last),\"complete_to\":\(moment),\"complete_to_ms\":\(milliseconds),\"alarms\":[".utf8)
        for (index, document) in page.documents.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: document)
        }
        text.append(UInt8(ascii: "]"))
        if let next = page.next { text.append(contentsOf: Array(",\"next\":\"\(next)\"".utf8)) }
        text.append(contentsOf: Array("}\n".utf8))
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }

    /// Whether a text can name an alarm or a task.
    static func isIdentifier(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (48...57).contains($0) || (97...122).contains($0) }
    }

    /// One alarm as it is now; foreign ones are not there.
    func one(_ id: String, of tenant: Tenant) async throws -> Response {
        guard let document = try await state.read({ try AlarmStore.document(of: id, tenant, $0) }) else {
            throw ExporterAPIError.notFound
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: document)))
    }

    /// Server-sent events from `Last-Event-ID` (header, or `last_event_id` for a client's first connection), else from now.
    ///
    /// Of changes that are none of the caller's business no time is told, for heartbeats come by the clock, and nothing but
    /// how many there were: event ids, heartbeats' too, number the changes of all alarms in one sequence.
    func stream(_ request: Request, of caller: Caller) async throws -> Response {
        let parameters = try QueryParameters(pairs(of: request), known: ["last_event_id"])
        let first = try await firstEvent(of: request, parameters)
        let seat = try permits.seat()
        return Response(
            status: .ok,
            // Proxies that gather answers before they pass them on, as nginx does, would hold alarms back.
            headers: [.contentType: "text/event-stream", .accelBuffering: "no"],
            body: .init { writer in
                defer { withExtendedLifetime(seat) {} }
                // Listening begins before the first look, so that no change falls between the two.
                let wakeUps = alarmChanges.listen()
                var place = Place(last: first)
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                try await send(caller.tenant, to: &writer, &place)
                for await _ in wakeUps {
                    guard let tenant = allowed.current(caller)?.tenant else { break }
                    try await send(tenant, to: &writer, &place)
                    if place.isSilent(for: Self.heartbeat) {
                        try await writer.write(ByteBuffer(bytes: AlarmEventText.heartbeat(through: place.last)))
                        place.wrote = .now
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// Where a client's stream begins; a broken id is one that was never given out.
    private func firstEvent(of request: Request, _ parameters: QueryParameters) async throws -> Int64 {
        if let resumed = request.headers[.lastEventID] { return Int64(resumed) ?? -1 }
        if let asked = try parameters.integer("last_event_id", in: 0...Int.max) { return Int64(asked) }
        return try await state.read { try AlarmStore.last($0) }
    }

    /// Sends what came after a place, and moves it.
    private func send(_ tenant: Tenant, to writer: inout any ResponseBodyWriter, _ place: inout Place)
        async throws
    {
        while true {
            let after = place.last
            let page = try await state.read {
                try AlarmStore.changes(after: after, limit: Self.pageChanges, tenant, $0)
            }
            guard let page else {
                place = Place(last: try await state.read { try AlarmStore.last($0) })
                return try await writer.write(ByteBuffer(bytes: AlarmEventText.reset(lastEventID: place.last)))
            }
            place.last = page.through
            guard !page.changes.isEmpty else { return }
            try await writer.write(ByteBuffer(bytes: page.changes.flatMap(AlarmEventText.change)))
            place.wrote = .now
        }
    }

    /// How far a stream has come.
    private struct Place {
        /// The last change that was sent or passed over.
        var last: Int64
        var wrote = ContinuousClock.now

        func isSilent(for duration: Duration) -> Bool { ContinuousClock.now - wrote >= duration }
    }

    private func pairs(of request: Request) -> [(key: String, value: String)] {
        request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }
    }
}
