internal import Models

/// One rule at work: windows by subject, and the rows that wait for the watermark.
struct RuleRun: Sendable {
    let rule: AlarmRule
    private let test: RowTest
    /// Cells of alarms: the rule's own, or coarser where windows had to be rolled up.
    var level: Int
    /// Most devices of a window; fewer where windows had to shrink.
    var capacity = DeviceWindow.mostDevices
    /// Of how many devices that said something good in one minute a rule that counts bad ones remembers it.
    var goodCapacity = WaitingDevices.mostGood
    /// The last minute that the watermark has passed; nil before the first.
    var settled: Int32?
    /// Up to which minute windows lack what was not sent while nobody was heard; nil if that never was.
    var partialUntil: Int32?
    var states: [SubjectState?] = []
    var free: [Int] = []
    var places: [WindowKey: Int] = [:]
    /// The last episode's number, by subject; kept as long as the rule has its name.
    var numbers: [WindowKey: Int64] = [:]
    /// What a subject's first episode comes after: the highest number of a rule of the same name that was removed.
    var numbersAfter: Int64
    /// By owner and cell of level 9; those of which there is something to know.
    var storms: [WindowKey: Storm] = [:]
    /// What it took in since the budget was looked at: 1 for a row, ``newSubject`` more where its subject is new.
    var sinceLook = 0
    static let newSubject = 15, mostSinceLook = 65_536
    var zone = ZoneCache()
    var figures = RuleFigures()

    init(_ rule: AlarmRule, numbersAfter: Int64 = 0) {
        self.rule = rule
        self.numbersAfter = numbersAfter
        test = RowTest(rule)
        if case .cells(let level) = rule.subject { self.level = level } else { level = 0 }
    }

    /// The minute of the latest watermark; nil before the first.
    var watermarkMinute: Int32? { settled.map { $0 + 1 + Int32(clamping: rule.lateness / 60_000) } }

    var hasValues: Bool { rule.kind == .collapse }

    /// Takes in a row; says what it raises at once.
    mutating func add(
        _ row: RuleRow, _ value: (_ column: UInt8) -> Int64?, into transitions: inout [RuleTransition]
    ) {
        guard let verdict = test.verdict(row, value), let key = key(row) else { return }
        let minute = Minutes.minute(row.eventAt)
        if test.hasHours, let hours = rule.scope.hours,
            !hours.contains(minuteOfWeek: rule.zone.minuteOfWeek(minute, &zone))
        {
            return
        }
        if let settled, minute <= settled {
            figures.late += 1
            return late(row.device, verdict, minute, key, into: &transitions)
        }
        figures.rows += 1
        sinceLook += 1
        let place = place(of: key)
        let isGood = test.isCounting && verdict != .bad
        states[place]!.wait(
            minute, row.device, hash: row.deviceHash, verdict.rawValue, isGood: isGood,
            capacity: isGood ? goodCapacity : capacity)
        guard test.isCounting, verdict == .bad, note(row.device, minute, place) else { return }
        announce(place, from: minute, into: &transitions)
    }

    /// Whose and what the row is about; nil if the rule does not look there.
    private mutating func key(_ row: RuleRow) -> WindowKey? {
        let owner = test.isOfSIM ? row.owner : row.serving ?? row.owner
        guard test.sees(row), !test.isNarrow || isInScope(owner, row.place) else { return nil }
        guard test.isOfCells else {
            return row.number.map { WindowKey(owner: owner, subject: UInt64(bitPattern: $0)) }
        }
        guard level > 0 else { return WindowKey(owner: owner, subject: 0) }
        guard let cell = row.place, cell.level >= level else {
            figures.unplaced += 1
            return nil
        }
        return WindowKey(owner: owner, cell: cell.parent(at: level))
    }

    private func isInScope(_ owner: Int64, _ place: Quadkey?) -> Bool {
        rule.scope.owners?.contains(owner) ?? true && rule.scope.place.contains(place)
    }

    private mutating func place(of key: WindowKey) -> Int {
        if let known = places[key] { return known }
        sinceLook += Self.newSubject
        let state = SubjectState(key, baseline: rule.kind.hasBaseline ? Baseline(isWeekly: rule.kind == .silence) : nil)
        if let place = free.popLast() {
            states[place] = state
            places[key] = place
            return place
        }
        states.append(state)
        places[key] = states.count - 1
        return states.count - 1
    }

    /// Keeps a bad row ahead of the watermark; false if it says nothing new.
    private mutating func note(_ device: UInt32, _ minute: Int32, _ place: Int) -> Bool {
        let ahead = states[place]!.ahead
        guard ahead.count < SubjectState.mostAhead,
            !ahead.contains(where: { $0.ordinal == device && $0.first == minute })
        else { return false }
        states[place]!.ahead.append(Episode.Member(ordinal: device, first: minute))
        return true
    }

    /// Raises at once what the watermark is going to confirm, or says that it is worse.
    mutating func announce(_ place: Int, from minute: Int32, into transitions: inout [RuleTransition]) {
        let state = states[place]!
        let most = state.window.entries.count + state.ahead.count
        if state.isOpen, let episode = state.episode {
            guard let more = rule.severities.devices(above: episode.severity), most >= more,
                let end = state.reached(more, within: rule.window, from: minute)
            else { return }
            let devices = state.bad(within: rule.window, of: end)
            states[place]!.episode!.severity = rule.severities.severity(devices)
            transitions.append(transition(place, .worse, devices: devices))
            announceStorm(place, into: &transitions)
        } else {
            guard rule.holdSet == 0, most >= Int(rule.set),
                let end = state.reached(Int(rule.set), within: rule.window, from: minute)
            else { return }
            open(place, at: end, isConfirmed: false, state.bad(within: rule.window, of: end))
            transitions.append(transition(place, .raised, devices: state.bad(within: rule.window, of: end)))
            announceStorm(place, into: &transitions)
        }
    }

    /// Begins the next episode.
    mutating func open(_ place: Int, at minute: Int32, isConfirmed: Bool, _ devices: Int) {
        let number = nextNumber(of: states[place]!.key)
        states[place]!.episode = Episode(
            number: number, raised: minute, isConfirmed: isConfirmed, severity: rule.severities.severity(devices))
        states[place]!.episode!.parent = joinStorm(place)
        figures.raised += 1
    }

    /// Numbers an episode.
    mutating func nextNumber(of key: WindowKey) -> Int64 {
        let number = numbers[key, default: numbersAfter] + 1
        numbers[key] = number
        return number
    }

    /// The highest number that any episode has had, 0 before the first.
    var lastNumber: Int64 { max(numbersAfter, numbers.values.max() ?? 0) }

    /// A row that came later than the rule waits: it changes what is told of an alarm, and raises and clears none.
    private mutating func late(
        _ device: UInt32, _ verdict: Verdict, _ minute: Int32, _ key: WindowKey,
        into transitions: inout [RuleTransition]
    ) {
        guard verdict == .bad, rule.kind == .ratio || rule.kind.isCounting, let place = places[key],
            var episode = states[place]?.episode, episode.isConfirmed, minute > episode.raised - rule.window,
            minute <= episode.cleared ?? .max, episode.take(device, at: minute)
        else { return }
        if rule.kind.isCounting, let earlier = episode.reached(Int(rule.set), within: rule.window) {
            episode.raised = min(episode.raised, earlier)
        }
        states[place]!.episode = episode
        transitions.append(transition(place, .revised, isLate: true))
    }

    /// How the episode of a subject is now.
    func transition(
        _ place: Int, _ change: RuleTransition.Change, devices: Int? = nil, isLate: Bool = false
    ) -> RuleTransition {
        let state = states[place]!, episode = state.episode!
        return RuleTransition(
            rule: rule.id, owner: Scope(scheme: rule.ownerScheme, number: state.key.owner),
            subject: state.key.named(by: rule), episode: episode.number, change: change, severity: episode.severity,
            raisedAt: Minutes.time(episode.raised), clearedAt: episode.cleared.map { Minutes.time($0) },
            devices: max(devices ?? 0, episode.devices), isSampled: episode.isSampled, isLate: isLate,
            parent: episode.parent, children: 0, named: [])
    }
}

/// What a rule has done since its engine began.
public struct RuleFigures: Sendable, Equatable {
    /// Rows that it took in, rows that came too late to raise or clear, rows whose place is too unsure for its level.
    public internal(set) var rows = 0, late = 0, unplaced = 0
    public internal(set) var raised = 0, cleared = 0
    /// Times that windows were made smaller, and rolled up to greater cells, to keep within the budget.
    public internal(set) var shrunk = 0, rolledUp = 0
}
