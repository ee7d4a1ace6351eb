internal import Models

extension RuleEngine {
    /// Bytes of windows, baselines, episodes and waiting rows, with the room that they have to grow.
    public var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

    /// Makes windows of the greatest rule smaller until everything fits, then its cells greater. A rule of one subject stays.
    mutating func keepWithinBudget(into transitions: inout [RuleTransition]) {
        while byteCount > budget {
            let greatest = runs.indices.filter { runs[$0].canShrink || runs[$0].canRollUp }
                .max { runs[$0].byteCount < runs[$1].byteCount }
            guard let greatest else { return }
            if runs[greatest].canShrink {
                runs[greatest].shrink()
            } else {
                runs[greatest].rollUp(into: &transitions)
            }
        }
    }
}

extension RuleRun {
    /// Fewest devices of a window that had to shrink.
    private static let leastCapacity = 16

    var byteCount: Int {
        let windows = states.reduce(Self.room(places.count) * MemoryLayout<SubjectState?>.stride) { sum, state in
            guard let state else { return sum }
            return sum + Self.bytes(state.ahead) + Self.bytes(state.episode?.members ?? [])
                + Self.bytes(state.window.entries) + (state.baseline?.means.count ?? 0) * 5
        }
        let waiting = pending.values.reduce(0) { $0 + Self.bytes($1) }
        let gathered = storms.values.reduce(0) {
            $0 + MemoryLayout<Storm>.stride + Self.bytes(entries: $1.recent.count, of: 12)
        }
        return windows + waiting + gathered + Self.bytes(entries: places.count, of: 24)
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

    var canShrink: Bool { capacity > max(Self.leastCapacity, Int(rule.kind.isCounting ? rule.set : 0)) }
    var canRollUp: Bool { level > 0 && places.count > 1 }

    mutating func shrink() {
        capacity = max(capacity / 2, Self.leastCapacity, Int(rule.kind.isCounting ? rule.set : 0))
        figures.shrunk += 1
        for place in states.indices { states[place]?.window.shrink(to: capacity, at: settled ?? 0) }
    }

    /// Puts the windows of cells that have one parent together. Their alarms are withdrawn; the parent raises its own.
    mutating func rollUp(into transitions: inout [RuleTransition]) {
        withdraw(into: &transitions)
        figures.rolledUp += 1
        level -= 1
        let children = states
        var moved = [Int32](repeating: 0, count: children.count)
        (states, free, places, storms) = ([], [], [:], [:])
        for (place, child) in children.enumerated() {
            guard let child else { continue }
            let parent = WindowKey(owner: child.key.owner, cell: child.key.cell.parent(at: level))
            if let known = places[parent] {
                states[known]!.window.merge(
                    child.window, at: settled ?? 0, capacity: capacity, hasValues: hasValues)
                let room = SubjectState.mostAhead - states[known]!.ahead.count
                states[known]!.ahead += child.ahead.prefix(max(0, room))
                states[known]!.pending += child.pending
                moved[place] = Int32(known)
            } else {
                // What was usual of a child is not what is usual of its parent, which learns it anew.
                let baseline = rule.kind.hasBaseline ? Baseline(isWeekly: rule.kind == .silence) : nil
                var state = SubjectState(parent, baseline: baseline)
                (state.window, state.ahead, state.pending) = (child.window, child.ahead, child.pending)
                moved[place] = Int32(states.count)
                places[parent] = states.count
                states.append(state)
            }
        }
        // In place: there may be millions.
        for minute in Array(pending.keys) {
            for row in pending[minute]!.indices {
                let before = pending[minute]![row]
                pending[minute]![row] = Pending(
                    state: moved[Int(before.state)], ordinal: before.ordinal, verdict: before.verdict)
            }
        }
    }
}
