import Foundation
import PipelineTesting

/// Kills services with SIGKILL, one after another, and starts each again after a moment.
struct Chaos {
    /// How often each service was killed.
    private(set) var kills: [String: Int] = [:]
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Kills and restarts until `isDone`, every service at least `leastKills` times; then waits until all are ready.
    mutating func run(_ pack: ServicePack, leastKills: Int, until isDone: () -> Bool) throws {
        while !isDone() || ServicePack.names.contains(where: { kills[$0, default: 0] < leastKills }) {
            let name = ServicePack.names.min { kills[$0, default: 0] < kills[$1, default: 0] }!
            let victim = random.chance(500) ? name : random.pick(ServicePack.names)
            try kill(pack.processes[victim]!, in: pack)
            if random.chance(500) { _ = pack.isReady(victim, within: 10) }
        }
        try pack.expectReady(within: 60)
    }

    /// Lets a service live for a random moment, in which it must not end by itself, and be away for another.
    private mutating func kill(_ process: ServiceProcess, in pack: ServicePack) throws {
        if let code = process.exitCode(within: Double(random.within(200...700)) / 1000) {
            throw Refused(status: Int(code), text: "\(process.name) ended by itself: \(pack.output(of: process.name))")
        }
        process.kill()
        kills[process.name, default: 0] += 1
        let moment = Date().addingTimeInterval(Double(random.within(0...300)) / 1000)
        _ = becomesTrue(within: 1) { Date() >= moment }
        try process.start()
    }
}
