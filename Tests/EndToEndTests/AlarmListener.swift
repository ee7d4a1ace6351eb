import Foundation
import PipelineTesting
import Synchronization
import Testing
import Wire
import ZeroMQ

/// A subscriber as `docs/asyncapi.yaml` asks for: listens live, and fills what it missed by REPLAY.
final class AlarmListener: Sendable {
    private struct Keys: Decodable {
        let server_public_key: String
        let client_secret_key: String
        let alerts_pub: String
        let alerts_replay: String
    }

    private let keys: Keys
    private let messages: Mutex<[Int: ReferenceAlarm]> = Mutex([:])
    private let heardLive = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    /// Subscribes to everything with the keys the router left in the home.
    init(_ pack: ServicePack) throws {
        let file = URL(fileURLWithPath: pack.home.path("home/keys/regulator.alerts.json"))
        keys = try JSONDecoder().decode(Keys.self, from: Data(contentsOf: file))
        Thread.detachNewThread { try? self.listen() }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Asks for what was missed, then checks that no number is missing and that exactly the expected alarms were heard.
    func expectComplete(_ expected: Set<ReferenceAlarm>) throws {
        var last = 0
        let complete = try becomesTrue(within: 60) {
            last = try replay()
            return Set(messages.withLock { $0.values }) == expected
        }
        let heard = messages.withLock { $0 }
        let alarms = Set(heard.values)
        #expect(
            complete,
            "missing \(expected.subtracting(alarms).sorted().prefix(3)), too many \(alarms.subtracting(expected).sorted().prefix(3))"
        )
        #expect(heard.keys.sorted() == Array(1..<(last + 1)), "numbers of the endpoint have a gap")
        #expect(heardLive.load(ordering: .relaxed) > 0, "nothing came without asking")
    }

    private func options(subscribing topics: [[UInt8]] = []) throws -> SocketOptions {
        let pair = try CurveKeyPair(secretKey: keys.client_secret_key)
        var options = SocketOptions(security: .curveClient(keys: pair, serverKey: keys.server_public_key))
        options.subscriptions = topics
        options.receiveHighWater = 100_000
        return options
    }

    private func listen() throws {
        let context = try Context()
        let socket = try Socket(.sub, options: options(subscribing: [Array("alerts/".utf8)]), context: context)
        try socket.connect(keys.alerts_pub)
        while !isStopped.load(ordering: .relaxed) {
            guard let frames = try socket.receive() else {
                usleep(2000)
                continue
            }
            if take(frames) { heardLive.add(1, ordering: .relaxed) }
        }
    }

    /// REPLAY from the last number below which nothing is missing; returns the number it ended with.
    private func replay() throws -> Int {
        let context = try Context()
        let socket = try Socket(.dealer, options: options(), context: context)
        try socket.connect(keys.alerts_replay)
        let known = messages.withLock { $0 }
        let complete = (1...).first { known[$0] == nil }! - 1
        let request = ["REPLAY", String(complete), "alerts/"].map { Array($0.utf8) }
        guard try becomesTrue(within: 10, { try socket.send(request) }) else { throw ExchangeError.replyLost }
        var end: Int?
        _ = try becomesTrue(within: 20) {
            while let frames = try socket.receive() {
                if frames.first == Array("END".utf8) { end = Int(String(decoding: frames[1], as: UTF8.self)) }
                _ = take(frames)
            }
            return end != nil
        }
        guard let end else { throw ExchangeError.replyLost }
        return end
    }

    /// Keeps an alarm message; false for a heartbeat and for what is not an alarm.
    private func take(_ frames: [Frame]) -> Bool {
        guard frames.count == 3 else { return false }
        let topic = String(decoding: frames[0], as: UTF8.self).components(separatedBy: "/")
        let header = try? JSONSerialization.jsonObject(with: Data(frames[1])) as? [String: Any]
        guard topic.count == 4, let header, let seq = (header["seq"] as? NSNumber)?.intValue else { return false }
        messages.withLock { $0[seq] = ReferenceAlarm(plmn: topic[1], cell: topic[3]) }
        return true
    }
}
