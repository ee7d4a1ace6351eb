internal import Models

extension RuleEngine {
    /// Bytes of windows, baselines, episodes and waiting rows, by the size of their parts.
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
        let windows = states.reduce(0) { sum, state in
            guard let state else { return sum }
            let episode =
                (state.ahead.count + (state.episode?.members.count ?? 0)) * MemoryLayout<Episode.Member>.stride
            let baseline = (state.baseline?.means.count ?? 0) * 5
            return sum + MemoryLayout<SubjectState?>.stride + state.window.entries.count * 8 + episode + baseline
        }
        let waiting = pending.values.reduce(0) { $0 + $1.count * MemoryLayout<Pending>.stride }
        let gathered = storms.values.reduce(0) { $0 + MemoryLayout<Storm>.stride + $1.recent.count * 16 }
        return windows + waiting + gathered + (places.count + numbers.count) * 32
    }

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
                states[known]!.ahead += child.ahead
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
        pending = pending.mapValues { rows in
            rows.map { Pending(state: moved[Int($0.state)], ordinal: $0.ordinal, verdict: $0.verdict) }
        }
    }
}
