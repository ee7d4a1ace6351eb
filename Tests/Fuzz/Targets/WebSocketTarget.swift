import Models
import NIOCore
import NIOEmbedded
import NIOWebSocket
import QoE

@testable import IngestAPI
@testable import IngestSupport
@testable import IngestUploads

/// What a client sends after the opening of a WebSocket: frames, messages put together from them, the records in those.
struct WebSocketTarget: FuzzTarget {
    private let invariants = UploadInvariants()
    private let limits: RealtimeLimits

    init() {
        var limits = RealtimeLimits()
        // Small enough to be reached by the inputs of a fuzzer.
        limits.messageBytes = 1_024
        self.limits = limits
    }

    func run(_ bytes: UnsafeRawBufferPointer) throws {
        let channel = EmbeddedChannel(
            handler: ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.messageBytes)))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        // Frames that are not frames end the connection; those before them count.
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        var assembler = WebSocketAssembler(limits)
        var frames = 0
        while let frame = try channel.readInbound(as: WebSocketFrame.self) {
            frames += 1
            let event: WebSocketAssembler.Event
            do throws(WebSocketFault) {
                event = try assembler.take(frame, at: .uptimeNanoseconds(UInt64(frames) * 200_000_000))
            } catch {
                try check(error)
                return
            }
            try check(event, frame)
            guard assembler.heldBytes <= limits.messageBytes else {
                throw broken("\(assembler.heldBytes) bytes are held")
            }
            if case .close = event { return }
        }
    }

    private func check(_ event: WebSocketAssembler.Event, _ frame: WebSocketFrame) throws {
        switch event {
        case .message(let message): try check(message)
        case .ping(let payload):
            guard payload == frame.unmaskedData else { throw broken("the pong would say something else") }
        case .close(let fault): try check(fault)
        case .part, .pong: break
        }
    }

    private func check(_ message: ByteBuffer) throws {
        guard message.readableBytes <= limits.messageBytes else { throw broken("a message is too big") }
        try message.withUnsafeReadableBytes { bytes in
            guard String(validating: bytes, as: UTF8.self) != nil else { throw broken("a message is not UTF-8") }
            do throws(DeviceAPIError) {
                _ = try RealtimeKinds(.qoe).envelope(of: bytes)
            } catch {
                guard (400..<500).contains(error.status) else { throw broken("status \(error.status)") }
            }
            try invariants.check(bytes, .json)
        }
    }

    private func check(_ fault: WebSocketFault) throws {
        guard fault.reason.utf8.count <= 123 else { throw broken("a close frame has no room for \(fault.reason)") }
        if let code = fault.code, !(1000..<5000).contains(code) { throw broken("status code \(code)") }
    }

    private func broken(_ rule: String) -> UploadInvariants.Broken { UploadInvariants.Broken(description: rule) }
}
