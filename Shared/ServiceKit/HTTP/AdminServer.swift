import Hummingbird
internal import ServiceLifecycle

/// `/healthz`, `/readyz` and `/metrics` of a service, on `NKUL_ADMIN_<SERVICE>`.
package struct AdminServer: Service {
    private let server: HTTPServer<RouterResponder<BasicRequestContext>>

    package init(at address: HostPort, host: ServiceHost) {
        ProcessMetrics.register(in: host.metrics, service: host.service)
        let router = Router()
        router.get("healthz") { _, _ in Self.json(.ok, AdminAnswer.health(host)) }
        router.get("readyz") { _, _ in
            Self.json(host.readiness.isReady ? .ok : .serviceUnavailable, AdminAnswer.readiness(host))
        }
        router.get("metrics") { _, _ in
            Self.answer(.ok, "text/plain; version=0.0.4; charset=utf-8", MetricsText.text(of: host.metrics))
        }
        server = HTTPServer(
            "admin", at: address, key: "NKUL_ADMIN_\(host.service.keyPart)", responder: router.buildResponder(),
            host: host)
    }

    package func run() async throws { try await server.run() }

    private static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        answer(status, "application/json", text + "\n")
    }

    private static func answer(_ status: HTTPResponse.Status, _ type: String, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
