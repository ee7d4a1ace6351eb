import Models

/// Phones that live, and the rows they record: pulled one by one in the order in which they are sent. Confined to one thread.
///
/// Rows whose clock puts them outside the recording's time are left out and counted.
struct Simulation {
    let world: SimulatedWorld
    private let facts: SimulationTruth
    private var actors: [SimulatedActor]
    private var queue = RowQueue()
    private(set) var cut = 0

    init(_ world: SimulatedWorld) {
        self.world = world
        var truth = SimulationTruth(world)
        let clocks = Self.clocks(world, &truth)
        var actors: [SimulatedActor] = []
        for number in 0..<world.settings.devices {
            let phone = SimulatedPhone(number: number, clock: clocks[number], in: world)
            truth.note(phone)
            actors.append(.phone(phone))
        }
        for (index, fault) in world.faults.enumerated() where fault.kind == .farm {
            for _ in 0..<fault.devices {
                guard let farm = FarmPhone(number: actors.count, fault: fault, seed: world.settings.seed) else {
                    continue
                }
                truth.note(farm.name, of: index)
                actors.append(.farm(farm))
            }
        }
        facts = truth
        self.actors = actors
        for index in actors.indices { schedule(index) }
    }

    /// The next row; nil at the end.
    mutating func next() -> RecordingRow? {
        while let entry = queue.pop() {
            if let row = entry.row {
                guard row.capturedAt >= world.settings.start, row.due < world.settings.end else {
                    cut += 1
                    continue
                }
                return row
            }
            for row in actors[entry.actor].next(world) { queue.push(row.due, actor: entry.actor, row: row) }
            schedule(entry.actor)
        }
        return nil
    }

    /// Rows that phones have and could not send so far.
    var unsent: Int {
        actors.reduce(0) { if case .phone(let phone) = $1 { $0 + phone.unsent.count } else { $0 } }
    }

    /// What is so in what was written so far; complete at the end.
    var truth: SimulationTruth {
        var truth = facts
        for case .phone(let phone) in actors { truth.offline += phone.offline }
        return truth
    }

    private mutating func schedule(_ index: Int) {
        if let time = actors[index].nextTime(before: world.settings.end) { queue.push(time, actor: index) }
    }

    /// Which phones a clock fault befalls, by seed: number of the phone → its clock.
    private static func clocks(_ world: SimulatedWorld, _ truth: inout SimulationTruth) -> [Int: SimulatedClock] {
        var clocks: [Int: SimulatedClock] = [:]
        for (index, fault) in world.faults.enumerated() where fault.kind == .clock {
            var random = SplitMix64(seed: world.settings.seed, name: "clock fault \(index)")
            var left = min(fault.devices, world.settings.devices - clocks.count)
            while left > 0 {
                let number = random.index(below: world.settings.devices)
                guard clocks[number] == nil else { continue }
                clocks[number] = SimulatedClock(drift: fault.drift, driftFrom: fault.from, driftTo: fault.to)
                truth.note(SimulationSettings.name(of: number), of: index)
                left -= 1
            }
        }
        return clocks
    }
}

/// Whatever writes rows of its own accord, in the order of its clock.
enum SimulatedActor {
    case phone(SimulatedPhone)
    case farm(FarmPhone)

    /// When its next rows begin, by its own clock; nil when there are none before the end.
    func nextTime(before end: UnixMilliseconds) -> UnixMilliseconds? {
        switch self {
        case .phone(let phone): phone.moment < end ? phone.capturedAt : nil
        case .farm(let farm): farm.moment < end && farm.isOpen ? farm.moment : nil
        }
    }

    mutating func next(_ world: SimulatedWorld) -> [RecordingRow] {
        switch self {
        case .phone(var phone):
            let rows = phone.next(world)
            self = .phone(phone)
            return rows
        case .farm(var farm):
            let rows = farm.next()
            self = .farm(farm)
            return rows
        }
    }
}
