internal import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// `GET /v1/erasures`: how erasures stand; for regulators.
package struct ErasureService: Sendable {
    private static let parameters = ["state", "cursor", "limit"]
    private static let states: [ErasureOrderDocument.State] = [.pending, .inProgress, .completed]

    let state: StateReaders

    package init(state: StateReaders) {
        self.state = state
    }

    func respond(to request: Request, of caller: Caller, now: UnixMilliseconds) async throws -> Response {
        guard caller.tenant.isRegulator else {
            throw ExporterAPIError(.forbidden, "regulator_only", "how erasures stand is for regulators")
        }
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: Self.parameters)
        let name = try parameters.choice("state", of: Self.states.map(\.rawValue))
        let cursor = try parameters.text("cursor").map { text throws(ParameterFault) in try ErasureCursor(text: text) }
        let limit = try parameters.integer("limit", in: 1...1_000) ?? 100
        let (summary, found) = try await state.read { db in
            (
                try ErasureOrderStore.summary(now: now, db),
                try ErasureOrderStore.list(
                    before: cursor, state: name.flatMap(ErasureOrderDocument.State.init), limit: limit + 1, db)
            )
        }
        let document = ErasuresDocument(
            summary, Array(found.prefix(limit)), next: found.count > limit ? ErasureCursor(found[limit - 1]) : nil,
            now: now)
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: document))))
    }
}
