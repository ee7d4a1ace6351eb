import Models
import QoE

/// A phone and the person who carries it. Its life depends on seed and number only, not on other phones.
struct SimulatedPhone {
    let name: String
    let habits: Habits
    let sims: [SimulatedSIM]
    /// The best technology it can.
    let best: Technology
    /// Of the walls it lives behind, dB at 1.8 GHz.
    let walls: Double
    let mood: Double
    let clock: SimulatedClock
    /// Where an app makes it believe to be, and when.
    let pretence: (place: PlanePoint, span: SimulatedSpan)?
    var random: SplitMix64
    /// True time of the next report.
    var moment: UnixMilliseconds
    var seq: Int64 = 0
    /// Whether there is Wi-Fi at home, by which it sends where its SIMs have no service.
    let hasWiFi: Bool
    /// What it could not send so far.
    var unsent: [RecordingRow] = []
    /// SIM slots whose lack of service has been told, and when last.
    var toldSilence: [UnixMilliseconds?] = [nil, nil]
    private var plan: DayPlan
    private var day: Int64
    private(set) var offline: [SimulatedSpan] = []

    /// - Parameter clock: of a fault; nil leaves it to chance whether the clock is wrong.
    init(number: Int, clock: SimulatedClock?, in world: SimulatedWorld) {
        name = SimulationSettings.name(of: number)
        var random = SplitMix64(seed: world.settings.seed, name: name)
        habits = Habits(world.map, &random)
        sims = Self.sims(&random)
        let generation = random.unit()
        best = generation < 0.12 ? .g5 : generation < 0.86 ? .g4 : .g3
        walls = max(3, 12 + 4 * random.normal())
        mood = 0.45 * random.normal()
        var homes = SplitMix64(seed: world.settings.seed, name: name + " Wi-Fi")
        hasWiFi = homes.chance(0.2)
        let chance = Self.clock(&random)
        self.clock = clock ?? chance
        pretence = Self.pretence(name, world, &random)
        moment = world.settings.start + Int64(random.unit() * world.settings.interval * 60_000)
        day = LocalDay.number(moment)
        plan = habits.plan(day, from: habits.home, world.map, world.noise, &random)
        self.random = random
        offline = wake()
    }

    /// The phone's clock at its next report: what recordings are sorted by.
    var capturedAt: UnixMilliseconds { clock.time(at: moment) }

    /// The rows that go now: those of this moment with all that waited, or none yet.
    mutating func send(_ rows: [RecordingRow], canSend: Bool, at now: UnixMilliseconds) -> [RecordingRow] {
        guard canSend else {
            unsent += rows
            return []
        }
        let waited = unsent.map { row in
            var late = row
            late.sentAt = max(now, row.capturedAt)
            return late
        }
        unsent = []
        return waited + rows
    }

    func isOffline(at time: UnixMilliseconds) -> Bool {
        offline.last.map { $0.from_ms <= time && time < $0.to_ms } ?? false
    }

    /// Where the person is now.
    mutating func situation(_ world: SimulatedWorld) -> DayPlan.Situation {
        let today = LocalDay.number(moment)
        while day < today {
            day += 1
            plan = habits.plan(day, from: plan.end, world.map, world.noise, &random)
            offline += wake()
        }
        return plan.situation(at: moment)
    }

    /// Goes on to the next report: often on the way, seldom at night and without any network.
    mutating func advance(_ world: SimulatedWorld, isMoving: Bool, isSilent: Bool) {
        let hour = LocalDay.hour(of: moment)
        let pace = (hour < 5.5 || hour > 22.5 ? 3.0 : isMoving ? 0.4 : 1) * (isSilent && sims.count == 1 ? 2 : 1)
        moment += 60_000 + Int64(world.settings.interval * pace * random.between(0.5, 1.5) * 60_000)
    }

    /// One day in five mobile data is off for some hours: what is measured then is kept and sent later.
    private mutating func wake() -> [SimulatedSpan] {
        let begins = LocalDay.start(day) + Int64(random.between(7, 20) * Double(LocalDay.hour))
        let lasts = Int64(random.between(0.5, 4) * Double(LocalDay.hour))
        guard random.chance(0.2) else { return [] }
        return [SimulatedSpan(device: name, from_ms: begins, to_ms: begins + lasts)]
    }

    /// Half of the people have two SIMs, of different operators; one in a hundred is a visitor from Nigeria.
    private static func sims(_ random: inout SplitMix64) -> [SimulatedSIM] {
        let weights = SimulatedOperator.cameroon.map(\.weight)
        let first = random.index(weights: weights)
        if random.chance(0.01) {
            return [SimulatedSIM(slot: 0, plmn: PLMN(rawValue: 621_030), provider: first, isRoaming: true)]
        }
        let card = { (slot: Int64, provider: Int) in
            SimulatedSIM(
                slot: slot, plmn: SimulatedOperator.cameroon[provider].plmn, provider: provider, isRoaming: false)
        }
        let second = random.index(weights: weights)
        let hasTwo = random.chance(0.65) && second != first
        return hasTwo ? [card(0, first), card(1, second)] : [card(0, first)]
    }

    /// Most clocks follow the network; some are minutes off, a few an hour behind.
    private static func clock(_ random: inout SplitMix64) -> SimulatedClock {
        let kind = random.unit()
        let small = Int64(random.normal() * 1_200), minutes = Int64(random.between(-240_000, 200_000))
        return SimulatedClock(offset: kind < 0.95 ? small : kind < 0.98 ? minutes : -3_600_000)
    }

    private static func pretence(_ name: String, _ world: SimulatedWorld, _ random: inout SplitMix64)
        -> (place: PlanePoint, span: SimulatedSpan)?
    {
        let town = world.map.towns[random.index(below: world.map.towns.count)]
        let begins = world.settings.start + Int64(random.unit() * Double(world.settings.end - world.settings.start))
        let lasts = Int64(random.between(1, 6) * Double(LocalDay.hour))
        guard random.chance(0.015) else { return nil }
        return (town.place(&random), SimulatedSpan(device: name, from_ms: begins, to_ms: begins + lasts))
    }
}

/// A SIM card in a phone.
struct SimulatedSIM: Sendable {
    /// 0 or 1.
    let slot: Int64
    /// Of the card.
    let plmn: PLMN
    /// Index of the network that serves it.
    let provider: Int
    /// A visitor's card, served by another operator than its own.
    let isRoaming: Bool
}

/// A phone's clock: off by a constant, and from some time on by more and more.
struct SimulatedClock: Sendable, Equatable {
    /// Milliseconds ahead of true time.
    var offset: Int64 = 0
    /// Milliseconds gained in an hour while it drifts.
    var drift = 0.0
    var driftFrom: UnixMilliseconds = 0
    var driftTo: UnixMilliseconds = 0

    /// What it shows. Never goes back.
    func time(at truth: UnixMilliseconds) -> UnixMilliseconds {
        guard drift != 0 else { return truth + offset }
        let hours = Double(max(0, min(truth, driftTo) - driftFrom)) / 3_600_000
        return truth + offset + Int64((drift * hours).rounded())
    }
}

/// Something that was so for one phone for a time, by true time.
struct SimulatedSpan: Sendable, Encodable, Equatable {
    let device: String
    let from_ms: UnixMilliseconds
    let to_ms: UnixMilliseconds
}
