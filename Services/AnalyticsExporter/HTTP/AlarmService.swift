internal import Hummingbird
internal import NIOCore

/// `GET /v1/alarms` and the stream of their changes.
struct AlarmService: Sendable {
    /// Changes that are read and sent at once.
    private static let pageChanges = 200

    let state: StateReaders
    let bell: AlarmBell
    let permits: Permits

    /// All alarms as they are now, and the event id from which the stream continues.
    func list(_ request: Request) async throws -> Response {
        _ = try QueryParameters(pairs(of: request), known: [])
        let (documents, last) = try await state.read { try AlarmStore.list($0) }
        var text = Array("{\"last_event_id\":\(last),\"alarms\":[".utf8)
        for (index, document) in documents.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: document)
        }
        text.append(contentsOf: Array("]}\n".utf8))
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }

    /// Server-sent events from `Last-Event-ID` (header, or `last_event_id` for a client's first connection), else from now.
    func stream(_ request: Request) async throws -> Response {
        let parameters = try QueryParameters(pairs(of: request), known: ["last_event_id"])
        let first = try await firstEvent(of: request, parameters)
        try permits.take()
        let seat = Seat(permits)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: .init { writer in
                defer { withExtendedLifetime(seat) {} }
                // Listening begins before the first look, so that no change falls between the two.
                let wakeUps = bell.wakeUps()
                var last = first
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                last = try await send(after: last, to: &writer)
                for await _ in wakeUps {
                    let sent = try await send(after: last, to: &writer)
                    if sent == last { try await writer.write(ByteBuffer(bytes: AlarmEventText.heartbeat)) }
                    last = sent
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

    /// Sends what came after a change; returns the last one sent.
    private func send(after first: Int64, to writer: inout any ResponseBodyWriter) async throws -> Int64 {
        var last = first
        while true {
            let after = last
            let changes = try await state.read { try AlarmStore.changes(after: after, limit: Self.pageChanges, $0) }
            guard let changes else {
                let newest = try await state.read { try AlarmStore.last($0) }
                try await writer.write(ByteBuffer(bytes: AlarmEventText.reset(lastEventID: newest)))
                return newest
            }
            guard let end = changes.last else { return last }
            try await writer.write(ByteBuffer(bytes: changes.flatMap(AlarmEventText.change)))
            last = end.sequence
        }
    }

    private func pairs(of request: Request) -> [(key: String, value: String)] {
        request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }
    }

    /// Gives the permit back when the stream's body is released, sent or not.
    private final class Seat: Sendable {
        private let permits: Permits

        init(_ permits: Permits) { self.permits = permits }

        deinit { permits.giveBack() }
    }
}
