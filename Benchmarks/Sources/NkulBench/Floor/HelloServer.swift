import Foundation
import Hummingbird
import Logging
import NIOCore

/// The least a server of this kind can do: Hummingbird with ingest's server settings and a handler that says hello.
enum HelloServer {
    static func run() async throws {
        var quiet = Logger(label: "hello")
        quiet.logLevel = .error
        let responder = CallbackResponder { (_: Request, _: BasicRequestContext) in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "hello")))
        }
        let application = Application(
            responder: responder, server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "hello"),
            onServerRunning: { channel in
                print(channel.localAddress?.port ?? 0)
                fflush(nil)
            }, logger: quiet)
        try await application.run()
    }
}
