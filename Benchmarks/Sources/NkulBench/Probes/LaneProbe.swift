import Foundation
import Lanes
import Logging
import Models
import QoE
import Wire
import ZeroMQ

/// Measures from a commit in one process to the block in another.
enum LaneProbe {
    /// Microseconds, sorted; the first 200 blocks are not counted.
    static func measure(directory: String) throws -> [Double] {
        var template = Array("\(directory)/nkul-lane-XXXXXX".utf8CString)
        guard let home = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw BenchError("cannot make a directory")
        }
        defer { try? FileManager.default.removeItem(atPath: home) }
        let writer = try ChildProcess("/proc/self/exe", ["--write-lane", home], log: "\(home)/writer.log")
        defer { writer.stop() }
        guard writer.readLine() == "ready" else {
            throw BenchError(
                (try? String(contentsOfFile: "\(home)/writer.log", encoding: .utf8)) ?? "the writer did not start")
        }
        let arrivals = try read(home) { writer.say("go") }
        let commits = (writer.readLine() ?? "").split(separator: " ").compactMap { UInt64($0) }
        writer.say("end")
        guard commits.count == LaneWriter.blocks else { throw BenchError("the writer did not say when it committed") }
        return commits.enumerated().dropFirst(200).compactMap { index, commit in
            arrivals[UInt64(index) + 1].map { $0 > commit ? Double($0 - commit) / 1_000 : 0 }
        }.sorted()
    }

    /// When each block came, by number.
    private static func read(_ home: String, whenConnected start: () -> Void) throws -> [UInt64: UInt64] {
        let sockets = SocketThread(name: "bench-reader", context: try Context())
        sockets.start()
        defer { sockets.stop() }
        let client = try LaneClient(
            reader: "bench", subscriptions: [LaneSubscription(lane: .realtime, kinds: [.report])],
            endpoints: [.realtime: LaneEndpoint(address: "ipc://\(home)/lane.sock")], cursors: [:], sockets: sockets,
            log: Logger(label: "bench"))
        try client.start()
        usleep(300_000)
        start()
        var arrivals: [UInt64: UInt64] = [:]
        let deadline = ContinuousClock.now + .seconds(60)
        while arrivals.count < LaneWriter.blocks {
            guard ContinuousClock.now < deadline else { throw BenchError("only \(arrivals.count) blocks came in 60 s") }
            let batch = client.next(until: .now + .seconds(1))
            let now = Monotonic.nanoseconds()
            for block in batch.blocks { arrivals[block.block.header.number] = now }
            client.release(batch)
        }
        return arrivals
    }
}
