internal import IngestSupport
internal import NIOCore

/// Answers that are made while they are sent (RFC 9112, 7.1): in memory is the piece under way, whatever the reader's pace.
extension EdgeConnection {
    /// Sends the pieces of an answer whose head is written, then ends it.
    func send(_ stream: any AnswerStream, isChunked: Bool) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.makeFutureWithTask { try await stream.next() }.whenComplete { piece in
            bound.value.made(piece, of: stream, isChunked: isChunked)
        }
    }

    private func made(_ piece: Result<[UInt8]?, any Error>, of stream: any AnswerStream, isChunked: Bool) {
        guard core.phase == .sending else { return }
        switch piece {
        case .failure: react(core.failed())
        case .success(nil):
            if isChunked { write(ByteBuffer(staticString: "0\r\n\r\n")) }
            react(core.endAnswer())
        case .success(let bytes?):
            core.pieceMade()
            settle()
            let written = eventLoop.makePromise(of: Void.self), bound = NIOLoopBound(self, eventLoop: eventLoop)
            written.futureResult.whenSuccess { bound.value.sent(stream, isChunked: isChunked) }
            write(Self.chunk(bytes, isChunked), promise: written)
        }
    }

    private func sent(_ stream: any AnswerStream, isChunked: Bool) {
        guard core.phase == .sending else { return }
        core.pieceWritten()
        settle()
        send(stream, isChunked: isChunked)
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
