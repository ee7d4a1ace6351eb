internal import Models

extension RuleRun {
    /// Whether alarms of its cells can have parents.
    private var hasStorms: Bool {
        guard case .cells = rule.subject else { return false }
        return level > Storm.level
    }

    private func parent(_ key: WindowKey) -> WindowKey {
        WindowKey(owner: key.owner, cell: key.cell.parent(at: Storm.level))
    }

    /// Looks at the alarms that the watermark knows, once all windows of a minute are judged.
    mutating func settleStorms(_ minute: Int32, into transitions: inout [RuleTransition]) {
        guard hasStorms else { return }
        var open: [WindowKey: [Int]] = [:]
        for place in states.indices where states[place]?.isConfirmed ?? false {
            open[parent(states[place]!.key), default: []].append(place)
        }
        guard !open.isEmpty || !storms.isEmpty else { return }
        for key in Set(storms.keys).union(open.keys).sorted() {
            let children = (open[key] ?? []).sorted { states[$0]!.key < states[$1]!.key }
            var storm = storms[key] ?? Storm(key)
            for place in children { storm.recent[states[place]!.key.subject] = minute }
            let length = Storm.window(rule)
            storm.recent = storm.recent.filter { minute - $0.value < length }
            settle(&storm, children, minute, into: &transitions)
            storms[key] = storm.recent.isEmpty && !storm.isOpen ? nil : storm
        }
    }

    private mutating func settle(
        _ storm: inout Storm, _ children: [Int], _ minute: Int32, into transitions: inout [RuleTransition]
    ) {
        if storm.isConfirmed, children.isEmpty {
            storm.severity = storm.worst
            transitions.append(transition(storm, .cleared, clearedAt: minute))
            (storm.raised, storm.isConfirmed, storm.recent) = (nil, false, [:])
            return
        }
        let before = storm
        if !storm.isConfirmed, storm.recent.count >= Storm.least {
            if !storm.isOpen { begin(&storm, at: minute) }
            (storm.raised, storm.isConfirmed) = (minute, true)
        }
        if storm.isConfirmed { count(&storm, children) }
        if !before.isOpen, storm.isOpen { transitions.append(transition(storm, .raised, named: children)) }
        // What rows ahead gave to a parent that is over by now is no child of it.
        for place in children {
            let known = states[place]!.episode!.parent
            let isChild = storm.isConfirmed || storm.isOpen && known == storm.number
            if link(place, to: isChild ? storm.number : nil, into: &transitions) { storm.hasNewChildren = true }
        }
        guard storm.isOpen else { return }
        if before.isOpen, storm.severity > before.severity {
            transitions.append(transition(storm, .worse))
        } else if storm.hasNewChildren || before.isOpen && before.told != storm.told {
            transitions.append(transition(storm, .revised))
        }
        storm.hasNewChildren = false
    }

    /// The number of the parent that a new alarm is a child of from its beginning; nil if none is open.
    mutating func joinStorm(_ place: Int) -> Int64? {
        guard hasStorms, let storm = storms[parent(states[place]!.key)], storm.isOpen else { return nil }
        storms[storm.key]!.hasNewChildren = true
        return storm.number
    }

    /// An alarm was raised, or got worse, by rows ahead of the watermark: so may its parent be.
    mutating func announceStorm(_ place: Int, into transitions: inout [RuleTransition]) {
        guard hasStorms, let settled, states[place]?.isOpen ?? false else { return }
        let child = states[place]!, key = parent(child.key), minute = child.episode!.raised
        var storm = storms[key] ?? Storm(key)
        guard !storm.isOpen else {
            if link(place, to: storm.number, into: &transitions) { storms[key]!.hasNewChildren = true }
            guard child.episode!.severity > storm.severity else { return }
            storm = storms[key]!
            storm.severity = child.episode!.severity
            storms[key] = storm
            return transitions.append(transition(storm, .worse))
        }
        let length = Storm.window(rule)
        guard minute - settled < length else { return }
        var subjects = Set(storm.recent.filter { minute - $0.value < length }.keys), open: [Int] = []
        for other in states.indices where states[other]?.isOpen ?? false {
            guard parent(states[other]!.key) == key, states[other]!.episode!.raised <= minute else { continue }
            subjects.insert(states[other]!.key.subject)
            open.append(other)
        }
        guard subjects.count >= Storm.least else { return }
        begin(&storm, at: minute)
        storm.severity = open.map { states[$0]!.episode!.severity }.max() ?? .indeterminate
        storm.hasNewChildren = true
        storms[key] = storm
        open.sort { states[$0]!.key < states[$1]!.key }
        transitions.append(
            transition(storm, .raised, devices: devices(open), children: open.count, named: open))
        for other in open {
            _ = link(other, to: storm.number, into: &transitions)
        }
    }

    /// Says of every open parent that it is withdrawn.
    func withdrawStorms(into transitions: inout [RuleTransition]) {
        for (_, storm) in storms.sorted(by: { $0.key < $1.key }) where storm.isOpen {
            transitions.append(transition(storm, .withdrawn))
        }
    }

    private mutating func begin(_ storm: inout Storm, at minute: Int32) {
        storm.begin(nextNumber(of: storm.key), at: minute)
    }

    /// True if it was no child of that parent.
    private mutating func link(
        _ place: Int, to parent: Int64?, into transitions: inout [RuleTransition]
    ) -> Bool {
        guard states[place]!.episode!.parent != parent else { return false }
        states[place]!.episode!.parent = parent
        transitions.append(transition(place, .revised))
        return parent != nil
    }

    private func count(_ storm: inout Storm, _ children: [Int]) {
        let episodes = children.map { states[$0]!.episode! }
        let worst = episodes.map { rule.severities.severity($0.peak) }.max() ?? .cleared
        storm.worst = max(storm.worst, worst)
        storm.severity = max(storm.severity, storm.worst)
        if episodes.contains(where: \.isSampled) { storm.isSampled = true }
        guard children.count > storm.children else { return }
        storm.children = children.count
        storm.devices = max(storm.devices, devices(children))
    }

    /// Distinct devices that count in alarms.
    private func devices(_ children: [Int]) -> Int {
        var ordinals: Set<UInt32> = []
        for place in children {
            ordinals.formUnion(states[place]!.episode!.members.map(\.ordinal))
            // What rows ahead raised has no members before the watermark.
            if !states[place]!.isConfirmed { ordinals.formUnion(states[place]!.ahead.map(\.ordinal)) }
        }
        return max(ordinals.count, children.map { states[$0]!.episode!.devices }.max() ?? 0)
    }

    /// How a parent is now.
    private func transition(
        _ storm: Storm, _ change: RuleTransition.Change, clearedAt: Int32? = nil, devices: Int = 0, children: Int = 0,
        named places: [Int] = []
    ) -> RuleTransition {
        let named = places.prefix(RuleTransition.mostNamed).map { place in
            RuleTransition.Child(
                subject: states[place]!.key.named(by: rule), episode: states[place]!.episode!.number)
        }
        return RuleTransition(
            rule: Storm.prefix + rule.id, owner: Scope(scheme: rule.ownerScheme, number: storm.key.owner),
            subject: storm.key.named(by: rule), episode: storm.number, change: change, severity: storm.severity,
            raisedAt: Minutes.time(storm.raised!), clearedAt: clearedAt.map { Minutes.time($0) },
            devices: max(devices, storm.devices), isSampled: storm.isSampled, isLate: false, parent: nil,
            children: max(children, storm.children), named: named)
    }
}

extension Storm {
    /// What is told of it.
    fileprivate var told: [Int] { [Int(raised ?? 0), children, devices, isSampled ? 1 : 0] }
}
