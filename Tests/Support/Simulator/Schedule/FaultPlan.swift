import Lanes
import Models

/// How bad a run is: drawn from the seed.
struct FaultPlan {
    /// Thousandths of messages that are lost, or come twice.
    var lost = 0
    var repeated = 0
    /// How often services die, readers are cut off, and the largest pause between two things, in milliseconds.
    var crashes = 0
    var absences = 0
    var longestDelay = 20
    /// Bytes of ingest's journals.
    var journalLimit = 1 << 30
    /// Bytes an optional reader may be behind before nothing is kept for it; nil: half of the journal.
    var optionalReaderBytes: Int?
    /// Bytes of blocks a writer keeps in memory.
    var recentBytes = 4 << 20
    var window = Credit.standard
    /// Ingest's database is replaced by an older copy in the middle of the run.
    var restores = false
    var isSealed = false
    /// The rewards are away for so long, milliseconds.
    var rewardsAbsence = 0
    /// A lane on which a newer version of a kind comes up, service by service.
    var upgradedLane: LaneName?
    /// The provider of rewards answers late, wrongly or not at all.
    var providerErrs = false
    /// The whole home is lost and made of a backup; nil: never.
    var homeRestore: HomeRestorePlan?

    /// Nothing gets lost and nobody dies: then nothing may wait for a heartbeat either.
    var isCalm: Bool { lost == 0 && repeated == 0 && crashes == 0 && absences == 0 && homeRestore == nil }

    init(_ random: inout SeededRandom) {
        isSealed = random.chance(250)
        recentBytes = random.pick([1, 600, 4 << 20])
        window = random.pick([
            Credit(blocks: 1, bytes: 4096), Credit(blocks: 2, bytes: 700), Credit(blocks: 8, bytes: 1 << 20),
        ])
        guard random.chance(650) else { return }
        lost = random.pick([0, 20, 80])
        repeated = random.pick([0, 30])
        crashes = random.within(1...6)
        absences = random.below(4)
        longestDelay = random.pick([10, 60, 400])
        if random.chance(250) { journalLimit = random.within(500...3000) }
        restores = random.chance(150)
        providerErrs = random.chance(700)
        guard !restores else { return }
        if random.chance(300) {
            rewardsAbsence = random.within(2000...8000)
            optionalReaderBytes = random.pick([nil, 200, 1000])
        }
        if random.chance(300) {
            upgradedLane = random.pick([.realtime, .batch, .requests, .alerts, .rollups, .operations])
        }
    }

    /// Draws whether the home is lost, for faults in which neither ingest alone is restored nor a newer version comes up.
    mutating func drawHomeRestore(_ random: inout SeededRandom) {
        guard !restores, upgradedLane == nil, random.chance(100) else { return }
        homeRestore = HomeRestorePlan(&random)
    }

    /// What is left of it when the last act begins: everything arrives, nobody dies.
    mutating func clear() {
        lost = 0
        repeated = 0
        crashes = 0
        absences = 0
        providerErrs = false
    }
}
