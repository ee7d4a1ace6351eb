package import IngestSupport
internal import IngestUploads
internal import Models
package import ServiceKit
internal import Synchronization

/// What speed tests may move: at once, for an address in a day, for everybody in a day. From any thread.
package final class SpeedTestBudget: Sendable {
    private struct State {
        var running = 0
        var day: Int64 = 0
        var moved = 0
        /// By line (``ServiceKit/ClientAddress/line``): who has an IPv6 /64 has all of its addresses.
        var byLine: [UInt64: Int] = [:]
        var runningByLine: [UInt64: Int] = [:]

        /// Begins a new day.
        mutating func turn(_ today: Int64) {
            guard today != day else { return }
            day = today
            moved = 0
            byLine = [:]
        }
    }

    /// Lines whose use is kept; a day's further ones are refused.
    private static let mostLines = 65_536

    package let limits: SpeedTestLimits
    private let state = Mutex(State())
    private let tests: OutcomeCounters<Outcome>
    private let bytes: Counter

    package enum Outcome: String, CaseIterable, Sendable { case done, capped, broken, busy, used }

    package init(_ limits: SpeedTestLimits, _ metrics: Metrics) {
        self.limits = limits
        tests = OutcomeCounters(metrics, "nkul_ingest_speed_tests_total", "Speed tests by what became of them")
        bytes = metrics.counter("nkul_ingest_speed_test_bytes_total", "Bytes that speed tests moved")
    }

    /// Begins a test.
    ///
    /// - Returns: how many bytes it may move.
    /// - Throws: ``DeviceAPIError`` 503 if as many run as may, or half of them from this line, 429 if the day's bytes are used.
    func begin(from address: ClientAddress, now: UnixMilliseconds) throws(DeviceAPIError) -> Int {
        let left = state.withLock { state -> Result<Int, DeviceAPIError> in
            state.turn(now / 86_400_000)
            let line = address.line, here = state.runningByLine[line, default: 0]
            guard state.running < limits.concurrent, here < max(1, limits.concurrent / 2) else {
                return .failure(.busy)
            }
            let left = min(
                limits.testBytes, limits.addressBytes - state.byLine[line, default: 0],
                limits.dayBytes - state.moved)
            guard left > 0, state.byLine[line] != nil || state.byLine.count < Self.mostLines else {
                return .failure(
                    DeviceAPIError(.rateLimited, "the bytes of speed tests for today are used", retryAfter: 3_600))
            }
            state.running += 1
            state.runningByLine[line] = here + 1
            return .success(left)
        }
        if case .failure(let problem) = left { tests.count(problem == .busy ? .busy : .used) }
        return try left.get()
    }

    /// A test has moved bytes.
    func moved(_ count: Int, from address: ClientAddress) {
        guard count > 0 else { return }
        state.withLock { state in
            state.moved += count
            state.byLine[address.line, default: 0] += count
        }
        bytes.add(count)
    }

    /// A test has ended.
    func end(_ outcome: Outcome, from address: ClientAddress) {
        state.withLock { state in
            state.running -= 1
            let here = state.runningByLine[address.line, default: 1] - 1
            state.runningByLine[address.line] = here > 0 ? here : nil
        }
        tests.count(outcome)
    }
}
