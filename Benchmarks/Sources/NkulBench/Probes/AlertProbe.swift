import Foundation
import Laboratory
import Models
import NIOCore
import ServiceKit
import Synchronization
import Wire

/// How long alerts took, in ms, sorted.
struct AlertLatencies {
    let all: [Double]
    /// Those of moments in which the machine did not pause.
    let undisturbed: [Double]
    /// The share of the time in which the machine paused, by what stood still.
    let paused: [MachinePauses.Kind: Double]
}

/// Measures from an urgent report to the message at a subscriber. Each report comes from another cell, so that each raises
/// an alarm of its own, which the router publishes at once.
final class AlertProbe: Sendable {
    private struct State {
        var sent: [String: UInt64] = [:]
        /// From when to when, in nanoseconds of ``Monotonic``.
        var seen: [(sent: UInt64, received: UInt64)] = []
        /// Requests without a receipt, by what was answered instead.
        var unreceived: [String: Int] = [:]
    }

    /// Phones do not wait for each other's answers: as many connections as reports can be under way.
    private static let connections = 32

    private let subscription: AlertSubscription
    private let pool: LoadPool
    private let host: HostPort
    private let phones: [Phone]
    private let cells: CellGrid
    private let pauses: MachinePauses
    private let state = Mutex(State())
    private let next = Atomic(0)

    init(_ fleet: Fleet, phones: [Phone]) async throws {
        pauses = try MachinePauses(directory: fleet.home.path)
        host = try fleet.address("device_api", of: .ingest)
        pool = try LoadPool(host: host.host, port: host.port, connections: Self.connections)
        self.phones = phones
        cells = CellGrid(count: 120_000, south: 38_000_000, west: 114_000_000)
        subscription = try AlertSubscription(fleet)
        try await subscription.begin { [self] topic in receive(topic) }
    }

    /// Sends urgent reports one after another until each has raised its alarm.
    ///
    /// - Parameters:
    ///   - interval: between two reports, whatever became of the first.
    ///   - isOver: asked before each; ends the measurement early.
    func measure(_ count: Int, every interval: Duration, until isOver: () -> Bool = { false }) async throws
        -> AlertLatencies
    {
        state.withLock {
            $0.seen = []
            $0.sent = [:]
            $0.unreceived = [:]
        }
        var text = ReportText(seed: UInt64(next.load(ordering: .relaxed)) + 77), sent = 0
        let start = ContinuousClock.now, began = Self.now()
        while sent < count, !isOver() {
            try await Task.sleep(until: start + interval * sent, tolerance: .zero, clock: .continuous)
            try send(&text)
            sent += 1
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while state.withLock({ $0.seen.count }) < sent {
            guard ContinuousClock.now < deadline else {
                let (missing, unreceived) = state.withLock { ($0.sent.count, $0.unreceived) }
                throw BenchError(
                    "\(missing) of \(sent) urgent reports raised no alarm within 20 s; other answers: \(unreceived)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        let ended = Self.now()
        // Until the last moments have been looked at.
        try await Task.sleep(for: .milliseconds(200))
        return latencies(of: state.withLock { $0.seen }, from: began, to: ended)
    }

    private func latencies(
        of seen: [(sent: UInt64, received: UInt64)], from began: UInt64, to ended: UInt64
    ) -> AlertLatencies {
        func milliseconds(_ moments: [(sent: UInt64, received: UInt64)]) -> [Double] {
            moments.map { Double($0.received - $0.sent) / 1_000_000 }.sorted()
        }
        return AlertLatencies(
            all: milliseconds(seen),
            undisturbed: milliseconds(seen.filter { pauses.isUndisturbed($0.sent, $0.received) }),
            paused: Dictionary(
                uniqueKeysWithValues: MachinePauses.Kind.allCases.map {
                    ($0, pauses.share($0, from: began, to: ended))
                }))
    }

    func close() async {
        await pool.shutdown()
        subscription.stop()
    }

    private func send(_ text: inout ReportText) throws {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        let middle = cells.middles[number % cells.middles.count], phone = phones[number % phones.count]
        guard number < cells.middles.count, let cell = Quadkey(latitude: middle.latitude, longitude: middle.longitude)
        else {
            throw BenchError("out of fresh cells for alarms")
        }
        var body: [UInt8] = []
        text.append(
            device: phone.number, at: middle, now: Int64(Date().timeIntervalSince1970 * 1_000), event: "emergency",
            to: &body)
        let request = LoadRequest.reports(try Deflater.deflate(body), token: phone.token, to: host)
        state.withLock { $0.sent[cell.text] = Self.now() }
        send(request)
    }

    /// Until it has a receipt, as phones do: between two measurements connections are idle, and the service may close one
    /// just when it is used again. The clock goes on.
    private func send(_ request: LoadRequest) {
        pool.send(request) { [self] result in
            let why: String, pause: TimeAmount?
            switch result {
            case .success(let answer) where answer.status == 200: return
            case .success(let answer):
                why = "\(answer.status) \(answer.text)"
                pause = answer.status == 503 || answer.status == 429 ? .milliseconds(20) : nil
            case .failure(.connectionLost), .failure(.timedOut): (why, pause) = ("no answer", .milliseconds(1))
            case .failure(let failure): (why, pause) = ("\(failure)", nil)
            }
            state.withLock { $0.unreceived[why, default: 0] += 1 }
            if let pause { pool.after(pause) { [self] in send(request) } }
        }
    }

    private func receive(_ topic: AlertSubscription.Topic) {
        let now = Self.now()
        state.withLock { state in
            guard let sent = state.sent.removeValue(forKey: topic.cell) else { return }
            state.seen.append((sent, now))
        }
    }

    private static func now() -> UInt64 { Monotonic.nanoseconds() }
}
