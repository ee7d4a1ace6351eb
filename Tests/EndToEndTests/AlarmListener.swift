import Foundation
import PipelineTesting
import Synchronization
import Testing
import Wire
import ZeroMQ

/// A subscriber as `docs/asyncapi.yaml` asks for: listens live, and fills what it missed by REPLAY.
final class AlarmListener: Sendable {
    private let access: AlertAccess
    private let messages: Mutex<[Int: ReferenceAlarm]> = Mutex([:])
    private let heardLive = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    /// Subscribes to everything that a tenant may hear.
    init(_ access: AlertAccess) throws {
        self.access = access
        Thread.detachNewThread { try? self.listen() }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Asks for what was missed, then checks that no number is missing and that exactly the expected alarms of
    /// single records were heard.
    func expectComplete(_ expected: Set<ReferenceAlarm>) throws {
        var last = 0
        let complete = try becomesTrue(within: 60) {
            last = try replay()
            return Set(messages.withLock { $0.values }.filter(\.isOfOneRecord)) == expected
        }
        let heard = messages.withLock { $0 }
        let alarms = Set(heard.values.filter(\.isOfOneRecord))
        #expect(
            complete,
            """
            \(access.tenant): missing \(expected.subtracting(alarms).sorted().prefix(3)), \
            too many \(alarms.subtracting(expected).sorted().prefix(3))
            """)
        #expect(heard.keys.sorted() == Array(1..<(last + 1)), "\(access.tenant): the endpoint's numbers have a gap")
        #expect(heardLive.load(ordering: .relaxed) > 0, "\(access.tenant): nothing came without asking")
    }

    /// The alarm that a message is about; nil for a heartbeat and for what is not an alarm.
    static func alarm(in frames: [Frame]) -> (seq: Int, alarm: ReferenceAlarm)? {
        guard frames.count == 3 else { return nil }
        let topic = String(decoding: frames[0], as: UTF8.self).components(separatedBy: "/")
        let header = try? JSONSerialization.jsonObject(with: Data(frames[1])) as? [String: Any]
        guard topic.count == 4, let header, let seq = (header["seq"] as? NSNumber)?.intValue else { return nil }
        return (seq, ReferenceAlarm(plmn: topic[1], cell: topic[3]))
    }

    private func options(subscribing topics: [[UInt8]] = []) throws -> SocketOptions {
        var options = SocketOptions(security: try access.security())
        options.subscriptions = topics
        options.receiveHighWater = 100_000
        return options
    }

    private func listen() throws {
        let context = try Context()
        let socket = try Socket(.sub, options: options(subscribing: [Array("alerts/".utf8)]), context: context)
        try socket.connect(access.alertsPub)
        while !isStopped.load(ordering: .relaxed) {
            guard let frames = try socket.receive(within: .milliseconds(100)) else { continue }
            if take(frames) { heardLive.add(1, ordering: .relaxed) }
        }
    }

    /// REPLAY from the last number below which nothing is missing; returns the number it ended with.
    private func replay() throws -> Int {
        let context = try Context()
        let socket = try Socket(.dealer, options: options(), context: context)
        try socket.connect(access.alertsReplay)
        let known = messages.withLock { $0 }
        let complete = (1...).first { known[$0] == nil }! - 1
        let request = ["REPLAY", String(complete), "alerts/"].map { Array($0.utf8) }
        guard try becomesTrue(within: 10, { try socket.send(request) }) else { throw ExchangeError.replyLost }
        while let frames = try socket.receive(within: .seconds(20)) {
            if frames.first == Array("END".utf8), let end = Int(String(decoding: frames[1], as: UTF8.self)) {
                return end
            }
            _ = take(frames)
        }
        throw ExchangeError.replyLost
    }

    /// Keeps an alarm message; false for anything else.
    private func take(_ frames: [Frame]) -> Bool {
        guard let (seq, alarm) = Self.alarm(in: frames) else { return false }
        messages.withLock { $0[seq] = alarm }
        return true
    }
}
