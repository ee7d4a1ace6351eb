internal import Models

extension RuleEngine {
    /// Bytes of windows, baselines, episodes and waiting rows, with the room that they have to grow.
    ///
    /// It looks at every window.
    public var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

    /// Makes windows of the greatest rule smaller until everything fits, then its cells greater. A rule of one subject stays.
    mutating func keepWithinBudget(into transitions: inout [RuleTransition]) {
        measuredBytes = byteCount
        while measuredBytes > budget {
            let greatest = runs.indices.filter { runs[$0].canShrink || runs[$0].canRollUp }
                .max { runs[$0].byteCount < runs[$1].byteCount }
            guard let greatest else { return }
            if runs[greatest].canShrink {
                runs[greatest].shrink()
            } else {
                runs[greatest].rollUp(into: &transitions)
            }
            measuredBytes = byteCount
        }
    }
}

extension RuleRun {
    /// Fewest devices of a window that had to shrink.
    private static let leastCapacity = 16

    var byteCount: Int {
        let windows = states.reduce(Self.room(places.count) * MemoryLayout<SubjectState?>.stride) { sum, state in
            guard let state else { return sum }
            // Each has an array of its own, and they lie in one.
            let waiting = state.waiting.reduce(0) { $0 + 64 + $1.byteCount }
            return sum + Self.bytes(state.ahead) + Self.bytes(state.episode?.members ?? [])
                + Self.bytes(state.window.entries) + (state.baseline?.means.count ?? 0) * 5 + waiting
        }
        let gathered = storms.values.reduce(0) {
            $0 + MemoryLayout<Storm>.stride + Self.bytes(entries: $1.recent.count, of: 12)
        }
        return windows + gathered + Self.bytes(entries: places.count, of: 24)
            + Self.bytes(entries: numbers.count, of: 24)
    }

    /// Arrays and dictionaries have room to grow, up to as much again. How much there is follows from what is in them alone, so that a
    /// state that was read is as great as before.
    private static func room(_ count: Int) -> Int {
        count < 2 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// An array and what stands before it.
    private static func bytes<Element>(_ array: [Element]) -> Int {
        array.isEmpty ? 0 : 32 + room(array.count) * MemoryLayout<Element>.stride
    }

    /// A dictionary has a quarter of its places free, at least.
    private static func bytes(entries count: Int, of size: Int) -> Int { room(count * 4 / 3) * (size + 1) }

    /// Fewest devices of a minute whose good rows are known to a rule that counts bad ones.
    private static let leastGoodCapacity = 16

    private var leastCapacity: Int { max(Self.leastCapacity, rule.kind.isCounting ? Int(rule.set) : 0) }
    private var canForgetGood: Bool { rule.kind.isCounting && goodCapacity > Self.leastGoodCapacity }
    var canShrink: Bool { canForgetGood || capacity > leastCapacity }
    var canRollUp: Bool { level > 0 && places.count > 1 }

    mutating func shrink() {
        figures.shrunk += 1
        if canForgetGood {
            goodCapacity /= 2
        } else {
            capacity = max(capacity / 2, leastCapacity)
        }
        for place in states.indices where states[place] != nil {
            states[place]!.window.shrink(to: capacity, at: settled ?? 0)
            for waiting in states[place]!.waiting.indices {
                let isGood = states[place]!.waiting[waiting].isGood
                states[place]!.waiting[waiting].shrink(to: isGood ? goodCapacity : capacity)
            }
        }
    }

    /// Puts the windows of cells that have one parent together. Their alarms are withdrawn; the parent raises its own.
    mutating func rollUp(into transitions: inout [RuleTransition]) {
        withdraw(into: &transitions)
        figures.rolledUp += 1
        level -= 1
        let children = states
        (states, free, places, storms) = ([], [], [:], [:])
        for case let child? in children {
            let parent = WindowKey(owner: child.key.owner, cell: child.key.cell.parent(at: level))
            if let known = places[parent] {
                states[known]!.window.merge(
                    child.window, at: settled ?? 0, capacity: capacity, hasValues: hasValues)
                let room = SubjectState.mostAhead - states[known]!.ahead.count
                states[known]!.ahead += child.ahead.prefix(max(0, room))
                for waiting in child.waiting {
                    states[known]!.join(waiting, capacity: waiting.isGood ? goodCapacity : capacity)
                }
            } else {
                // What was usual of a child is not what is usual of its parent, which learns it anew.
                let baseline = rule.kind.hasBaseline ? Baseline(isWeekly: rule.kind == .silence) : nil
                var state = SubjectState(parent, baseline: baseline)
                (state.window, state.ahead, state.waiting) = (child.window, child.ahead, child.waiting)
                places[parent] = states.count
                states.append(state)
            }
        }
    }
}
