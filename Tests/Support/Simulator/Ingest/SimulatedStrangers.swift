import GRDB
import Models
import ServiceKit
import Storage

/// Strangers who try tokens that are nobody's, at ingest and at the exporter, and leave a minute and a part of their network.
final class SimulatedStrangers {
    private unowned let simulation: Simulation
    /// What ingest has not written yet.
    private var waiting: [FailedAuthentication] = []
    /// When each was written down, by service.
    private(set) var written: [String: [Int]] = [:]

    init(in simulation: Simulation) {
        self.simulation = simulation
    }

    /// Plans who tries; in worlds in which nothing goes nobody does.
    func start(from begin: Int64, span: Int64, exporter: SimulatedReader) {
        guard simulation.retention != nil else { return }
        for number in 0..<simulation.random.within(1...4) {
            let isDevice = simulation.random.chance(500)
            simulation.timeline.at(begin + Int64(simulation.random.below(Int(span)))) { [self] in
                let failure = FailedAuthentication(
                    prefix: AddressPrefix(text: "203.0.\(number).0/24"), reason: "unknown_token",
                    last: simulation.clock.now)
                if isDevice {
                    waiting.append(failure)
                } else if try exporter.write({ try FailedAuthentication.store([failure], now: failure.last, $0) }) {
                    note(failure, at: exporter.name)
                }
            }
        }
    }

    /// Those that ingest is to write, as its program gives them: once, and lost if it dies.
    func take() -> [FailedAuthentication] {
        defer { waiting = [] }
        return waiting
    }

    func note(_ failure: FailedAuthentication, at service: String) {
        written[service, default: []].append(Int(failure.last))
    }
}
