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
            usleep(UInt32(random.within(200_000...700_000)))
            let name = ServicePack.names.min { kills[$0, default: 0] < kills[$1, default: 0] }!
            let victim = random.chance(500) ? name : random.pick(ServicePack.names)
            pack.processes[victim]!.kill()
            kills[victim, default: 0] += 1
            usleep(UInt32(random.within(0...300_000)))
            try pack.processes[victim]!.start()
            if random.chance(500) { _ = pack.isReady(victim, within: 10) }
        }
        for name in ServicePack.names where !pack.isReady(name, within: 60) {
            throw NotReady(name: name, output: pack.output(of: name))
        }
    }
}
