import Foundation
import Laboratory
import Models
import ServiceKit
import Synchronization
import Wire

/// Measures from the receipt of the report that completes a rule to the alarm at a subscriber.
///
/// The rule is the built-in one for no service: each detection is three phones of a network in a cell of level 10 of their own, far
/// from all others, so that each raises one alarm and none lies in a storm.
final class DetectionProbe: Sendable {
    private struct Key: Hashable {
        let network, cell: String
    }

    private struct State {
        /// When the third phone had its receipt, in nanoseconds of ``Monotonic``; 0 before.
        var completed: [Key: UInt64] = [:]
        var seen: [Key: UInt64] = [:]
        var failures: [String: Int] = [:]
    }

    /// Phones by which the rule is complete.
    private static let phonesOfOne = 3
    private static let level = 10

    private let subscription: AlertSubscription
    private let pool: LoadPool
    private let host: HostPort
    /// By network.
    private let phones: [[Phone]]
    private let state = Mutex(State())
    private let next = Atomic(0)

    init(_ fleet: Fleet, phones: [Phone]) async throws {
        host = try fleet.address("device_api", of: .ingest)
        pool = try LoadPool(host: host.host, port: host.port, connections: 8)
        // Other probes begin at the other end.
        self.phones = ReportText.operators.indices.map { place in
            phones.reversed().filter { $0.number % ReportText.operators.count == place }
        }
        subscription = try AlertSubscription(fleet)
        try await subscription.begin { [self] topic in
            let now = Monotonic.nanoseconds(), key = Key(network: topic.network, cell: topic.cell)
            state.withLock { if $0.completed[key] != nil, $0.seen[key] == nil { $0.seen[key] = now } }
        }
    }

    /// Completes rules one after another until each has raised its alarm.
    ///
    /// - Parameter isOver: asked before each; ends the measurement early.
    /// - Returns: milliseconds, sorted.
    func measure(_ count: Int, every interval: Duration, until isOver: () -> Bool = { false }) async throws -> [Double]
    {
        state.withLock { $0 = State() }
        let start = ContinuousClock.now
        var begun = 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            while begun < count, !isOver() {
                try await Task.sleep(until: start + interval * begun, tolerance: .zero, clock: .continuous)
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                group.addTask { [self] in try await complete(number) }
                begun += 1
            }
            try await group.waitForAll()
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while state.withLock({ $0.seen.count }) < begun {
            guard ContinuousClock.now < deadline else {
                let (seen, failures) = state.withLock { ($0.seen.count, $0.failures) }
                throw BenchError("\(begun - seen) of \(begun) rules raised no alarm within 60 s; answers: \(failures)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        return state.withLock { state in
            state.seen.map { key, seen in
                let completed = state.completed[key] ?? seen
                return seen > completed ? Double(seen - completed) / 1_000_000 : 0
            }.sorted()
        }
    }

    func close() async {
        await pool.shutdown()
        subscription.stop()
    }

    /// Three phones of one network say, one after another, that they have no service.
    private func complete(_ number: Int) async throws {
        let place = number % phones.count, own = phones[place], middle = try Self.middle(number)
        let key = Key(
            network: PLMN(mcc: 624, mnc: Int64(ReportText.operators[place])).text,
            cell: Quadkey(latitude: middle.latitude, longitude: middle.longitude)!.parent(at: Self.level).text)
        var text = ReportText(seed: UInt64(number) + 991)
        state.withLock { $0.completed[key] = 0 }
        for report in 0..<Self.phonesOfOne {
            let phone = own[(number / phones.count * Self.phonesOfOne + report) % own.count]
            var body: [UInt8] = []
            text.append(
                device: phone.number, at: middle, now: Int64(Date().timeIntervalSince1970 * 1_000), event: "no_service",
                to: &body)
            let request = LoadRequest.reports(try Deflater.deflate(body), token: phone.token, to: host)
            let received = try await receipt(of: request)
            state.withLock { $0.completed[key] = received }
        }
    }

    /// When a report had its receipt, on the thread that read it; sent until it has one, as phones do.
    private func receipt(of request: LoadRequest) async throws -> UInt64 {
        while true {
            let (answer, at) = await withCheckedContinuation { continuation in
                pool.send(request) { continuation.resume(returning: ($0, Monotonic.nanoseconds())) }
            }
            if case .success(let answer) = answer, answer.status == 200 { return at }
            let why: String
            switch answer {
            case .success(let answer) where answer.status == 503 || answer.status == 429: why = "\(answer.status)"
            case .success(let answer): throw BenchError("a report was answered \(answer.status) \(answer.text)")
            case .failure(let failure): why = "\(failure)"
            }
            state.withLock { $0.failures[why, default: 0] += 1 }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The middle of a cell of level 10; each of another cell of level 9.
    private static func middle(_ number: Int) throws -> (latitude: Int64, longitude: Int64) {
        let columns = 248, width = 360.0 / 512
        let latitude = 20 + Double(number / columns) * 0.8, longitude = 2 + Double(number % columns) * width
        guard latitude < 60, let cell = Quadkey(latitude: Int64(latitude * 1e7), longitude: Int64(longitude * 1e7))
        else { throw BenchError("out of fresh cells for detections") }
        let bounds = cell.parent(at: level).bounds
        return (Int64((bounds.south + bounds.north) / 2 * 1e7), Int64((bounds.west + bounds.east) / 2 * 1e7))
    }
}
