import Foundation
import HTTPTypes
import IngestCommit
import IngestSupport
import IngestUploads
import Lanes
import Models
import NIOCore
import NIOPosix
import ServiceKit
import Synchronization
import Testing
import Wire

@testable import Ingest

/// What becomes of a device's trust while it is served: what is in memory is what is on disk.
@Suite(.timeLimit(.minutes(1))) struct TrustAPITests {
    private static let day: Int64 = 86_400_000

    /// A clock that is moved by hand.
    private final class Clock: Sendable {
        private let time = Mutex(Reading.now)
        var now: UnixMilliseconds { time.withLock { $0 } }
        func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    /// The flags of a phone's rows, one record a day for nine days. They are read day by day, as blocks that are older than an
    /// hour go when nobody waits for them.
    private static let nineDays: [RowFlags] =
        [[.notTrusted, .young]] + [RowFlags](repeating: .notTrusted, count: 6) + [[], []]

    @Test func `the next upload knows what the receipt before told, as does the register`() async throws {
        let clock = Clock(), bench = try await APIBench(now: { clock.now }), token = try await bench.enrol(Self.all)
        var flags: [RowFlags?] = []
        for number in 1...9 {
            let row = #"{"seq":\#(number),"captured_at_ms":\#(clock.now)}"#
            #expect(try await bench.send(row, token: token).status == 200)
            let known = try #require(bench.calls.directory.known(token[...])?.trust)
            #expect(known.daysSeen == min(number, 7))
            let shown = try await bench.calls.device(["device": "1"])
            #expect(shown.days_seen == min(number, 7) && shown.trust == (number < 7 ? 0 : 2))
            flags.append(try bench.flags(on: .batch).last)
            clock.advance(by: Self.day)
        }
        #expect(flags == Self.nineDays)
    }

    @Test func `so does the next message of a WebSocket`() async throws {
        let clock = Clock(), bench = try await APIBench(now: { clock.now }), token = try await bench.enrol(Self.all)
        try await RawWebSocket.with(bench, token) { socket in
            var flags: [RowFlags?] = []
            for number in 1...9 {
                try await socket.send(#"{"seq":\#(number),"captured_at_ms":\#(clock.now)}"#)
                #expect(try await socket.answer()["accepted"] as? Int == 1)
                flags.append(try bench.flags(on: .batch).last)
                clock.advance(by: Self.day)
            }
            #expect(flags == Self.nineDays)
        }
    }

    @Test func `a device that was forgotten, or that changed its consent, is found as it is on disk`() async throws {
        let clock = Clock(), bench = try await APIBench(now: { clock.now }), token = try await bench.enrol(Self.all)
        #expect(try await bench.send(#"{"seq":1,"captured_at_ms":\#(clock.now)}"#, token: token).status == 200)
        let known = bench.calls.directory.known(token[...])?.trust
        #expect(known?.daysSeen == 1)
        // More devices than are kept in memory.
        for _ in 0..<8 { _ = try await bench.enrol() }
        #expect(bench.calls.directory.known(token[...]) == nil)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        #expect(try await bench.calls.directory.find(token[...], on: loop).get()?.trust == known)
        let change = #"{"consent":{"measurement":true},"policy_version":"2"}"#
        let changed = try await bench.call(
            .put, "/v1/me/consent", Array(change.utf8),
            headers: [.authorization: "Bearer \(token)", .contentType: "application/json"])
        #expect(changed.status == 200 && bench.calls.directory.known(token[...])?.trust == known)
    }

    @Test func `a look-up that began before a receipt does not undo it`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(Self.all)
        let directory = bench.calls.directory, before = try #require(directory.known(token[...]))
        #expect(try await bench.send(#"{"seq":1,"captured_at_ms":\#(Reading.now)}"#, token: token).status == 200)
        let after = directory.known(token[...])
        #expect(before.trust?.daysSeen == 0 && after?.trust?.daysSeen == 1)
        directory.replace(token[...], by: before)
        #expect(directory.known(token[...]) == after)
    }

    @Test func `a code makes a device trusted at once, and operators see why`() async throws {
        let bench = try await APIBench()
        var random = SystemRandomNumberGenerator()
        let code = ActivationCode(&random)
        _ = try await bench.calls.requests.perform {
            try $0.addCodes([code.hash], note: "", expiresAt: Reading.now + 1, now: Reading.now)
        }
        _ = try await bench.enrol()
        let token = try await bench.enrol(Self.all.dropLast() + #","activation_code":"\#(code.text)"}"#)
        #expect(try await bench.send(#"{"seq":1,"captured_at_ms":\#(Reading.now)}"#, token: token).status == 200)
        #expect(try bench.flags(on: .batch) == [.young])
        let shown = try await bench.calls.page([:]).devices
        #expect(shown.map(\.trust) == [0, 1] && shown.map(\.activation_batch) == [nil, 1])
        #expect(shown.map(\.days_seen) == [0, 1] && shown[1].enrolled_at_ms == Reading.now)
    }

    /// Everything is allowed, so that flags say nothing of consent.
    private static let all =
        #"{"platform":"android","app_version":"1.0","policy_version":"1","consent":{"#
        + Consent.purposes.map { "\"\($0.name)\":true" }.joined(separator: ",") + "}}"
}
