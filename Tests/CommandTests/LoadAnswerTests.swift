import Models
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Laboratory

@Suite struct LoadAnswerTests {
    private static let receipt =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nContent-Length: 14\r\nX: a:b\r\n\r\n{\"accepted\":3}"

    private func buffer(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test func `an answer is taken when it is complete, and only it`() throws {
        let text =
            Self.receipt + "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let first = Self.receipt.utf8.count
        for end in 0..<first {
            var part = ByteBuffer(bytes: text.utf8.prefix(end))
            #expect(try LoadAnswer.take(from: &part) == nil)
            #expect(part.readableBytes == end, "nothing is taken of half an answer")
        }
        var bytes = buffer(text)
        let answer = try #require(try LoadAnswer.take(from: &bytes))
        #expect(answer.response.status == 200 && answer.response.text == "{\"accepted\":3}" && answer.isKeepAlive)
        #expect(answer.response.retryAfter == nil)
        let busy = try #require(try LoadAnswer.take(from: &bytes))
        #expect(busy.response.status == 503 && busy.response.retryAfter == 7 && !busy.isKeepAlive)
        #expect(busy.response.text.isEmpty && bytes.readableBytes == 0)
    }

    @Test(arguments: [
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, "", true),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, "", true),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nab", 200, "ab", false),
        ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nab", 200, "ab", true),
        ("HTTP/1.1 200\r\ncontent-length:\t2 \r\n\r\nab", 200, "ab", true),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: </>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            200, "a", true
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: v\r\n\r\n",
            200, "abc0123456789", true
        ),
    ]) func `forms of answers`(text: String, status: Int, body: String, keeps: Bool) throws {
        for end in 0..<text.utf8.count {
            var part = ByteBuffer(bytes: text.utf8.prefix(end))
            #expect(try LoadAnswer.take(from: &part) == nil, "\(end)")
        }
        var bytes = buffer(text)
        let (response, isKeepAlive) = try #require(try LoadAnswer.take(from: &bytes))
        #expect(response.status == status && response.text == body && isKeepAlive == keeps)
        #expect(bytes.readableBytes == 0)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH", "<html>", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n", "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3zz\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFF\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000),
    ]) func `what is no answer is refused`(text: String) {
        var bytes = buffer(text)
        let failure = #expect(throws: LoadFailure.self) { try LoadAnswer.take(from: &bytes) }
        guard case .unreadable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(arguments: 0..<40) func `answers of a server that nobody here wrote`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(HTTPResponseEncoder())
        let status = HTTPResponseStatus(statusCode: [200, 202, 400, 429, 503].randomElement(using: &random)!)
        var headers = HTTPHeaders(), body = ""
        if Bool.random(using: &random) { headers.add(name: "Retry-After", value: "12") }
        let pieces = (0..<Int.random(in: 0...4, using: &random)).map {
            String(repeating: "\($0)", count: Int.random(in: 1...300, using: &random))
        }
        body = pieces.joined()
        if Bool.random(using: &random) { headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
        try channel.writeOutbound(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)))
        for piece in pieces { try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(buffer(piece)))) }
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        var received = ByteBuffer(), answers: [(response: LoadResponse, isKeepAlive: Bool)] = []
        while var part = try channel.readOutbound(as: ByteBuffer.self) {
            received.writeBuffer(&part)
            if let answer = try LoadAnswer.take(from: &received) { answers.append(answer) }
        }
        try #require(answers.count == 1)
        let (response, isKeepAlive) = answers[0]
        #expect(response.status == Int(status.code) && response.text == body && isKeepAlive)
        #expect(response.retryAfter == headers.first(name: "Retry-After").flatMap { Int($0) })
        #expect(received.readableBytes == 0)
        _ = try channel.finish()
    }
}
