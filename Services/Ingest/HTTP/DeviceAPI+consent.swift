internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `/v1/me/consent`.
extension DeviceAPI {
    /// Tells what a device allows.
    func consent(_ head: RequestHead) async throws -> Response {
        let device = try await device(of: head)
        guard let state = try await looked({ try await directory.consent(of: device) }) else {
            throw RequestHead.unauthorized("nobody has this token")
        }
        return Self.response(200, state.body, type: "application/json")
    }

    /// Changes what a device allows; answered when it is on disk and holds for every later request.
    func changeConsent(_ head: RequestHead, _ request: Request) async throws -> Response {
        let device = try await device(of: head)
        let body = try await body(of: request, head, limit: 16_384)
        let change = try ConsentRequest.read(Array(buffer: body)).change(of: device.ordinal)
        let result = await withUnsafeContinuation { queue.offer(.consent(change, $0)) }
        let state = try result.get()
        directory.replace(try head.token(), by: state.identity)
        return Self.response(200, state.body, type: "application/json")
    }
}
