package import IngestSupport
internal import IngestUploads
package import ServiceKit
internal import Synchronization

/// How many latency echoes run, in all and of a line. From any thread.
///
/// Apart from speed tests: an echo beside a test is what shows latency under load.
package final class EchoPlaces: Sendable {
    package enum Outcome: String, CaseIterable, Sendable { case done, broken, flooded, busy }

    private struct State {
        var running = 0
        /// By line (``ServiceKit/ClientAddress/line``).
        var byLine: [UInt64: Int] = [:]
    }

    /// Of them at once; 0: there are none.
    let most: Int
    private let state = Mutex(State())
    private let echoes: OutcomeCounters<Outcome>

    package init(_ limits: SpeedTestLimits, _ metrics: Metrics) {
        most = limits.echoes
        echoes = OutcomeCounters(metrics, "nkul_ingest_echoes_total", "Latency echoes by what became of them")
    }

    /// Takes a place; whoever has it gives it back by ``end(_:from:)``.
    ///
    /// - Throws: ``DeviceAPIError`` 404 if there are none here, 503 if as many run as may, or a quarter of them from this line.
    func begin(from address: ClientAddress) throws(DeviceAPIError) {
        guard most > 0 else { throw DeviceAPIError(.notFound) }
        let isFree = state.withLock { state -> Bool in
            let here = state.byLine[address.line, default: 0]
            guard state.running < most, here < max(1, most / 4) else { return false }
            state.running += 1
            state.byLine[address.line] = here + 1
            return true
        }
        guard isFree else {
            echoes.count(.busy)
            throw .busy
        }
    }

    /// An echo has ended.
    func end(_ outcome: Outcome, from address: ClientAddress) {
        state.withLock { state in
            state.running -= 1
            let here = state.byLine[address.line, default: 1] - 1
            state.byLine[address.line] = here > 0 ? here : nil
        }
        echoes.count(outcome)
    }
}
