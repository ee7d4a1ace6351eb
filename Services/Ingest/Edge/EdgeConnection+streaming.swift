internal import NIOCore

/// Answers that are made while they are sent (RFC 9112, 7.1): in memory is the piece under way, whatever the reader's pace.
extension EdgeConnection {
    /// Sends the pieces of an answer whose head is written, then ends it.
    func send(_ stream: any AnswerStream, isChunked: Bool) {
        deadline = .distantFuture
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.makeFutureWithTask { try await stream.next() }.whenComplete { piece in
            bound.value.sent(piece, of: stream, isChunked: isChunked)
        }
    }

    private func sent(_ piece: Result<[UInt8]?, any Error>, of stream: any AnswerStream, isChunked: Bool) {
        guard let context, case .answering = state else { return }
        switch piece {
        case .failure: context.close(promise: nil)
        case .success(nil):
            if isChunked { write(ByteBuffer(staticString: "0\r\n\r\n"), context) }
            endAnswer(context)
        case .success(let bytes?):
            // A reader has as long for a piece as a phone has for a body.
            deadline = .now() + edge.limits.bodyTime
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            write(Self.chunk(bytes, isChunked), context).whenSuccess {
                guard case .answering = bound.value.state else { return }
                bound.value.send(stream, isChunked: isChunked)
            }
        }
    }

    @discardableResult
    private func write(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: promise)
        return promise.futureResult
    }

    private static func chunk(_ bytes: [UInt8], _ isChunked: Bool) -> ByteBuffer {
        guard isChunked, !bytes.isEmpty else { return ByteBuffer(bytes: bytes) }
        var buffer = ByteBuffer()
        buffer.writeString(String(bytes.count, radix: 16) + "\r\n")
        buffer.writeBytes(bytes)
        buffer.writeStaticString("\r\n")
        return buffer
    }
}
