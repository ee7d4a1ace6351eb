import Foundation
import HTTPTypes
import Models
import NIOCore
import ServiceKit
import Testing

@testable import Ingest
@testable import IngestCommit
@testable import IngestEdge
@testable import IngestSupport

/// Records over a WebSocket: what is answered, in which order, and how it ends.
@Suite(.timeLimit(.minutes(2))) struct RealtimeTests {
    private static let fast: AdmissionLimits = {
        var limits = AdmissionLimits()
        limits.calls = BucketRate(perMinute: 0, burst: 1)
        limits.rows = BucketRate(perMinute: 0, burst: 1)
        return limits
    }()

    private func report(_ seq: Int, _ more: String = "") -> String {
        #"{"seq":\#(seq),"captured_at_ms":\#(Reading.now - 1_000)\#(more)}"#
    }

    @Test func `every message is answered with its receipt, in the order of the messages`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let texts = (0..<20).map { $0 == 9 ? "nonsense" : report($0 + 1, $0 % 3 == 0 ? #","rating":3"# : "") }
        try await RawWebSocket.with(bench, token, first: texts.flatMap(RawWebSocket.text)) { socket in
            for number in 0..<20 {
                let answer = try await socket.answer()
                if number == 9 {
                    #expect(answer["code"] as? String == "not_an_object" && answer["message"] as? Int == 9)
                } else {
                    #expect(answer["accepted"] as? Int == 1, "message \(number): \(answer)")
                }
            }
        }
    }

    @Test func `a record counts once, whether it comes again on this connection, another one, or by POST`() async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol()
        let first = try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(report(1))
            let first = try await socket.next()
            try await socket.send(report(1))
            #expect(try await socket.next() == first)
            try await socket.send(report(1, #","latency_ms":20"#))
            let other = try await socket.answer()
            #expect(
                other["accepted"] as? Int == 0 && other["duplicates"] as? Int == 0 && other["conflicts"] as? Int == 1)
            let items = other["items"] as? [[String: Any]]
            #expect(items?.first?["code"] as? String == "seq_conflict" && items?.first?["detail"] is String)
            return first!.text
        }
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(report(1))
            #expect(try await socket.next()?.text == first)
        }
        #expect(try await bench.send(report(1), token: token).text == first)
    }

    @Test func `the opening settles the phone's clock and what receipts list`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let ahead = Reading.now + 3_600_000
        let path = "/v1/realtime?receipts=all&sent_at_ms=\(ahead)"
        try await RawWebSocket.with(bench, token, path: path) { socket in
            try await socket.send(#"{"seq":1,"captured_at_ms":\#(ahead)}"#)
            let items = try await socket.answer()["items"] as? [[String: Any]]
            #expect(items?.first?["status"] as? String == "accepted")
        }
    }

    @Test func `a value of a message that cannot be is left out and named`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(report(1, #","rating":4,"loss_pct":276"#))
            let answer = try await socket.answer(), items = answer["items"] as? [[String: Any]]
            let left = items?.first?["left_out"] as? [[String: String]]
            #expect(answer["accepted"] as? Int == 1 && left?.first?["field"] == "loss_pct")
        }
    }

    @Test func `a time of sending is a number as fields have it, and there once`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let path = "/v1/realtime?receipts=all&sent_at_ms=\(Reading.now).0"
        try await RawWebSocket.with(bench, token, path: path) { socket in
            for (seq, time) in ["\(Reading.now).0", "\"\(Reading.now).0\"", "\(Reading.now)e0"].enumerated() {
                try await socket.send(
                    #"{"seq":\#(seq + 1),"captured_at_ms":\#(Reading.now),"sent_at_ms":\#(time),"cqi":3}"#)
                #expect(try await socket.answer()["accepted"] as? Int == 1)
            }
            for time in ["\(Reading.now).5", "NaN", "0x10", "inf"] {
                try await socket.send(#"{"seq":9,"captured_at_ms":5,"sent_at_ms":\#(time),"cqi":3}"#)
                #expect(try await socket.answer()["code"] as? String == "bad_sent_at", "\(time)")
            }
            try await socket.send(#"{"seq":9,"captured_at_ms":5,"sent_at_ms":\#(Reading.now),"cqi":3,"sent_at_ms":7}"#)
            let answer = try await socket.answer()
            #expect(answer["code"] as? String == "bad_sent_at" && answer["field"] as? String == "sent_at_ms")
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a phone's clock may be set forward and back while the connection is open`(seed: UInt64) async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        var random = SplitMix64(seed: seed)
        let path = "/v1/realtime?receipts=all&sent_at_ms=\(Reading.now + 7_200_000)"
        try await RawWebSocket.with(bench, token, path: path) { socket in
            for seq in 1...20 {
                let clock = Reading.now + Int64.random(in: -40 * 86_400_000...40 * 86_400_000, using: &random)
                let age = Int64.random(in: 0...691_000_000, using: &random)
                let kind = ["", #""kind":"report","#, #""rating":4,"#].randomElement(using: &random)!
                let time = [#""sent_at_ms":\#(clock)"#, #""sent_at_ms" : "\#(clock)" "#].randomElement(using: &random)!
                try await socket.send(#"{\#(kind)"seq":\#(seq),"captured_at_ms":\#(clock - age),\#(time),"cqi":3}"#)
                let items = try await socket.answer()["items"] as? [[String: Any]]
                #expect(items?.map { $0["status"] as? String } == ["accepted"], "\(items ?? [])")
            }
            try await socket.send(#"{"seq":21,"captured_at_ms":5,"sent_at_ms":null}"#)
            #expect(try await socket.answer()["rejected"] as? Int == 1)
            try await socket.send(#"{"seq":22,"captured_at_ms":5,"sent_at_ms":"soon"}"#)
            #expect(try await socket.answer()["code"] as? String == "bad_sent_at")
        }
        let captured = try bench.values(of: ColumnID.capturedAt, on: .batch).compactMap(\.self)
        #expect(captured.count == 20 && captured.allSatisfy { (Reading.now - 691_000_000...Reading.now).contains($0) })
    }

    @Test(arguments: [
        (#"{"kind":"prompt","seq":1}"#, "out_of_range"), (#"[{"seq":1}]"#, "not_an_object"), ("", "not_an_object"),
        (#"{"seq":1,"captured_at_ms":1760000000000} {"seq":2}"#, "too_many_rows"), ("{", "nothing_readable"),
    ])
    func `what is not one report or feedback is refused, and the connection goes on`(text: String, code: String)
        async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(text)
            #expect(try await socket.answer()["code"] as? String == code)
            try await socket.send(report(7))
            #expect(try await socket.answer()["accepted"] as? Int == 1)
        }
    }

    @Test func `a message may come in fragments with pings between them`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let bytes = Array(report(1, #","event":"emergency""#).utf8)
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(RawWebSocket.frame(1, Array(bytes[..<10]), isLast: false))
            try await socket.send(RawWebSocket.frame(9, Array("beat".utf8)))
            try await socket.send(RawWebSocket.frame(0, [], isLast: false))
            try await socket.send(RawWebSocket.frame(0, Array(bytes[10...])))
            #expect(try await socket.next() == .init(opcode: 10, payload: Array("beat".utf8)))
            #expect(try await socket.answer()["accepted"] as? Int == 1)
        }
    }

    @Test func `a frame may come byte by byte`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            for byte in RawWebSocket.text(report(1)) { try await socket.send([byte]) }
            #expect(try await socket.answer()["accepted"] as? Int == 1)
        }
        #expect(bench.budget.bytes == 0)
    }

    @Test func `a close is answered behind the receipts that are owed`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(
                RawWebSocket.text(report(1)) + RawWebSocket.frame(8, [0x03, 0xE8] + Array("bye".utf8)))
            #expect(try await socket.answer()["accepted"] as? Int == 1)
            #expect(try await socket.next()?.code == 1_000)
            #expect(try await socket.next() == nil)
        }
    }

    // MARK: - Who may

    @Test func `a stranger is refused before the connection is one`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let openings: [(String, Int, String)] = [
            (RawWebSocket.opening("nobody"), 401, "unauthorized"),
            (RawWebSocket.opening(token).replacing("Authorization", with: "X-Nothing"), 401, "unauthorized"),
            (
                RawWebSocket.opening(token).replacing("Upgrade: WebSocket\r\n", with: ""), 426,
                "sec-websocket-version: 13"
            ),
            (RawWebSocket.opening(token).replacing("Version: 13", with: "Version: 8"), 426, "upgrade: websocket"),
            (RawWebSocket.opening(token).replacing("ZQ==", with: ""), 400, "bad_upgrade"),
            (RawWebSocket.opening(token, path: "/v1/realtime?sent_at_ms=x"), 400, "bad_sent_at"),
            (RawWebSocket.opening(token).replacing("GET ", with: "POST "), 405, "method_not_allowed"),
        ]
        for (opening, status, word) in openings {
            let text = try await RawClient.with(port: bench.port) { client in
                try await client.send(opening.replacing("keep-alive, Upgrade", with: "close, Upgrade"))
                return try await client.receive()
            }
            #expect(RawAnswer(text)?.status == status && text.contains(word), "\(text)")
        }
    }

    @Test func `another protocol than the WebSocket is not spoken, and nothing is left hanging`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(
                "GET /v1/me/consent HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nConnection: Upgrade\r\n"
                    + "Upgrade: h2c\r\n\r\n")
            return try await client.receive()
        }
        #expect(RawAnswer(text)?.status == 200 && text.contains("connection: close"))
    }

    @Test func `a device that is revoked is cut off, whether it speaks or not`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { silent in
            try await RawWebSocket.with(bench, token) { socket in
                try await socket.send(report(1))
                #expect(try await socket.answer()["accepted"] as? Int == 1)
                _ = try await bench.calls.revoke(["device": "1"])
                try await socket.send(report(2))
                #expect(try await socket.next()?.code == 1_008)
            }
            #expect(try await silent.next()?.code == 1_008)
        }
    }

    @Test func `a consent that is withdrawn holds for the next message`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            let none = #"{"policy_version":"2025-1","consent":{"measurement":false}}"#
            let changed = try await bench.call(
                .put, "/v1/me/consent", Array(none.utf8),
                headers: [.authorization: "Bearer \(token)", .contentType: "application/json"])
            #expect(changed.status == 200)
            try await socket.send(report(1))
            #expect(try await socket.answer()["code"] as? String == "no_measurement_consent")
        }
    }

    @Test func `a device that is not in memory is looked up, and its messages keep their order`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            for _ in 0..<8 { _ = try await bench.enrol() }
            try await socket.send((1...5).flatMap { RawWebSocket.text(report($0)) })
            for _ in 1...5 { #expect(try await socket.answer()["accepted"] as? Int == 1) }
        }
    }

    // MARK: - How much

    @Test func `while commits wait only the window is taken, and all is answered afterwards`() async throws {
        let bench = try await APIBench(admission: Self.fast), token = try await bench.enrol()
        let count = 4_000
        try await RawWebSocket.with(bench, token) { socket in
            try await bench.holdingCommits {
                try await socket.send((1...count).flatMap { RawWebSocket.text(report($0)) })
                while bench.queue.depth < 16 || bench.budget.bytes == 0 { await Task.yield() }
                for _ in 0..<1_000 {
                    #expect(bench.queue.depth == 16 && bench.budget.bytes < 300_000)
                    await Task.yield()
                }
            }
            for number in 1...count {
                #expect(try await socket.answer()["accepted"] as? Int == 1, "message \(number)")
            }
        }
        #expect(bench.budget.bytes == 0)
    }

    @Test func `who speaks too much control is cut off`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send((0..<11).flatMap { _ in RawWebSocket.frame(9, []) })
            for _ in 0..<10 { #expect(try await socket.next()?.opcode == 10) }
            #expect(try await socket.next()?.code == 1_008)
        }
    }

    @Test func `a length that lies costs nothing`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        for length: [UInt8] in [
            [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xFF] + .init(repeating: 0xFF, count: 7),
        ] {
            try await RawWebSocket.with(bench, token) { socket in
                try await socket.send([0x81, 0xFF] + length + [1, 2, 3, 4])
                #expect(try await socket.next()?.code == 1_009)
            }
        }
        #expect(bench.budget.bytes == 0)
    }

    @Test func `when all that is received is too much, it is tried again later`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            #expect(bench.budget.take(9_999_990))
            try await socket.send(Array(RawWebSocket.text(report(1)).dropLast()))
            #expect(try await socket.next()?.code == 1_013)
        }
        bench.budget.give(9_999_990)
    }

    // MARK: - Ends

    @Test func `a phone that is silent is pinged, and closed if it stays so`() async throws {
        var limits = EdgeLimits()
        limits.realtime.idleTime = .milliseconds(500)
        let bench = try await APIBench(limits: limits), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            #expect(try await socket.next()?.opcode == 9)
            try await socket.send(RawWebSocket.frame(10, []))
            #expect(try await socket.next()?.opcode == 9)
            #expect(try await socket.next()?.code == 1_001)
        }
    }

    @Test func `half a message is not waited for for ever`() async throws {
        var limits = EdgeLimits()
        limits.realtime.messageTime = .milliseconds(100)
        let bench = try await APIBench(limits: limits), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(Array(RawWebSocket.text(report(1)).dropLast()))
            #expect(try await socket.next()?.code == 1_008)
        }
    }

    @Test func `a service that stops answers what it has taken, then says that it goes`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await bench.holdingCommits {
                try await socket.send(report(1))
                while bench.queue.depth < 1 { await Task.yield() }
                bench.stop()
            }
            #expect(try await socket.answer()["accepted"] as? Int == 1)
            #expect(try await socket.next()?.code == 1_001)
            #expect(try await socket.next() == nil)
        }
    }

    @Test func `who goes without a word leaves nothing behind`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        try await RawWebSocket.with(bench, token) { socket in
            try await socket.send(Array(RawWebSocket.text(report(1)).dropLast()))
            socket.client.finish()
            #expect(try await socket.next()?.code == 1_001)
            #expect(try await socket.next() == nil)
        }
        while bench.budget.bytes != 0 { await Task.yield() }
    }
}
