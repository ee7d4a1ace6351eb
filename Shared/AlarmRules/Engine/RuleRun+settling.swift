internal import Models

/// What a minute looks like, once the watermark has passed it.
private struct Judgement {
    var isSet, isClear: Bool
    let devices: Int
    /// For the baseline; nil if the minute is no example.
    var seen: Double?
}

extension RuleRun {
    /// Goes on to the watermark, minute by minute.
    ///
    /// - Parameters:
    ///   - time: the time up to which all lanes are complete.
    ///   - isFrozen: whether in a minute nothing is cleared and no silence is found.
    mutating func settle(
        to time: UnixMilliseconds, isFrozen: (_ minute: Int32) -> Bool, into transitions: inout [RuleTransition]
    ) {
        let last = Minutes.minute(time - rule.lateness) - 1
        guard var minute = settled ?? min(last, (firstWaiting ?? last) - 1) as Int32? else { return }
        while minute < last {
            // Nothing to look at: on to the next row, or to the end.
            if places.isEmpty {
                minute = last
                break
            }
            minute += 1
            settle(minute, isFrozen(minute), into: &transitions)
        }
        settled = max(minute, settled ?? minute)
    }

    private mutating func settle(_ minute: Int32, _ isFrozen: Bool, into transitions: inout [RuleTransition]) {
        if isFrozen { partialUntil = minute + rule.window }
        for place in states.indices where states[place] != nil {
            states[place]!.window.expire(
                at: minute, length: rule.window, hasValues: hasValues, needsBad: rule.kind.isCounting)
            if !states[place]!.waiting.isEmpty { takeIn(minute, place) }
        }
        var told: [(key: WindowKey, transitions: [RuleTransition])] = []
        for place in states.indices where states[place] != nil {
            var own: [RuleTransition] = []
            judge(place, minute, isFrozen, into: &own)
            if !own.isEmpty { told.append((states[place]!.key, own)) }
            if states[place]!.isIdle(at: minute) { forget(place) }
        }
        // Where a state lies depends on what was there before.
        for (_, own) in told.sorted(by: { $0.key < $1.key }) { transitions += own }
        settleStorms(minute, into: &transitions)
    }

    private mutating func takeIn(_ minute: Int32, _ place: Int) {
        let isCounting = rule.kind.isCounting
        var waiting: [WaitingDevices] = []
        swap(&waiting, &states[place]!.waiting)
        // What is bad first: what is good of devices that are counted matters where they are known.
        for said in waiting.filter({ $0.minute == minute }).sorted(by: { !$0.isGood && $1.isGood }) {
            let most = said.isGood ? goodCapacity : capacity
            for entry in said.sorted(capacity: most) {
                if hasValues {
                    states[place]!.window.note(entry.ordinal, value: entry.verdict, at: minute, capacity: capacity)
                } else {
                    states[place]!.window.note(
                        entry.ordinal, isBad: entry.verdict == Verdict.bad.rawValue, at: minute, capacity: capacity,
                        isKept: !isCounting)
                }
            }
            if said.isLeftOut(capacity: most), !said.isGood { states[place]!.window.leaveOut(at: minute) }
        }
        waiting.removeAll { $0.minute == minute }
        states[place]!.waiting = waiting
        if isCounting { states[place]!.ahead.removeAll { $0.first <= minute } }
    }

    /// The first minute after the watermark of which something waits.
    private var firstWaiting: Int32? {
        states.lazy.compactMap { $0?.waiting.lazy.map(\.minute).min() }.min()
    }

    private mutating func forget(_ place: Int) {
        places.removeValue(forKey: states[place]!.key)
        states[place] = nil
        free.append(place)
    }

    private mutating func judge(
        _ place: Int, _ minute: Int32, _ isFrozen: Bool, into transitions: inout [RuleTransition]
    ) {
        var judgement = judgement(place, minute)
        if isFrozen {
            judgement.isClear = false
            judgement.seen = nil
        }
        if rule.kind == .silence, let partialUntil, minute < partialUntil {
            (judgement.isSet, judgement.seen) = (false, nil)
        }
        if rule.kind.hasBaseline {
            let hour = rule.zone.minuteOfWeek(minute, &zone) / 60
            let isExample = !judgement.isSet && !states[place]!.isOpen
            states[place]!.baseline!.learn(isExample ? judgement.seen : nil, hour: hour)
        }
        if states[place]!.isConfirmed {
            keep(place, minute, judgement, into: &transitions)
        } else {
            raise(place, minute, judgement, into: &transitions)
        }
    }

    private mutating func raise(
        _ place: Int, _ minute: Int32, _ judgement: Judgement, into transitions: inout [RuleTransition]
    ) {
        let since = judgement.isSet ? states[place]!.setSince ?? minute : nil
        states[place]!.setSince = since
        let announced = states[place]!.isOpen ? states[place]!.episode!.raised : nil
        guard since.map({ minute - $0 >= rule.holdSet }) ?? false || announced.map({ $0 <= minute }) ?? false else {
            return
        }
        states[place]!.setSince = nil
        if announced == nil {
            open(place, at: minute, isConfirmed: true, judgement.devices)
        } else {
            states[place]!.episode!.isConfirmed = true
            states[place]!.episode!.raised = minute
        }
        count(place, minute, judgement)
        if announced == nil {
            transitions.append(transition(place, .raised))
        } else if announced != minute {
            transitions.append(transition(place, .revised))
        }
    }

    /// Goes on with an open episode.
    private mutating func keep(
        _ place: Int, _ minute: Int32, _ judgement: Judgement, into transitions: inout [RuleTransition]
    ) {
        let before = states[place]!.episode!
        count(place, minute, judgement)
        let severity = rule.severities.severity(states[place]!.episode!.peak)
        if severity > before.severity {
            states[place]!.episode!.severity = severity
            transitions.append(transition(place, .worse))
        } else if states[place]!.episode!.devices != before.devices {
            transitions.append(transition(place, .revised))
        }
        let since = judgement.isClear ? states[place]!.clearSince ?? minute : nil
        states[place]!.clearSince = since
        guard let since, minute - since >= rule.holdClear else { return }
        clear(place, minute, into: &transitions)
    }

    private mutating func clear(_ place: Int, _ minute: Int32, into transitions: inout [RuleTransition]) {
        states[place]!.clearSince = nil
        states[place]!.episode!.cleared = minute
        states[place]!.lastClear = minute
        // What was told ahead of the watermark may have been of the next episode.
        states[place]!.episode!.severity = rule.severities.severity(states[place]!.episode!.peak)
        figures.cleared += 1
        transitions.append(transition(place, .cleared))
        guard rule.kind.isCounting, let next = states[place]!.ahead.map(\.first).min() else { return }
        announce(place, from: next, into: &transitions)
    }

    /// Counts who is concerned.
    private mutating func count(_ place: Int, _ minute: Int32, _ judgement: Judgement) {
        let state = states[place]!
        states[place]!.episode!.peak = max(state.episode!.peak, judgement.devices)
        if state.window.leftOutAt != nil { states[place]!.episode!.isSampled = true }
        guard rule.kind.isCounting || rule.kind == .ratio else { return }
        let since = Minutes.stamp(minute)
        for entry in state.window.entries where entry.bad != 0 {
            let bad = minute - Minutes.distance(entry.bad, since)
            if bad > state.lastClear ?? .min { _ = states[place]!.episode!.take(entry.ordinal, at: bad) }
        }
    }

    private mutating func judgement(_ place: Int, _ minute: Int32) -> Judgement {
        let window = states[place]!.window
        switch rule.kind {
        case .urgent, .count:
            let reach = states[place]!.reach(rule.window, to: minute)
            let bad = reach > 0 ? window.bad(within: reach, of: minute) : 0
            return Judgement(
                isSet: bad >= Int(rule.set), isClear: window.latest().bad <= Int(rule.clear), devices: bad)
        case .ratio:
            let latest = window.latest()
            let share = latest.all == 0 ? 0 : Double(latest.bad) / Double(latest.all)
            return Judgement(
                isSet: latest.all >= rule.leastDevices && share >= rule.set, isClear: share <= rule.clear,
                devices: latest.bad)
        case .silence: return silence(window, place, minute)
        case .collapse: return collapse(window, place)
        }
    }

    private mutating func silence(_ window: DeviceWindow, _ place: Int, _ minute: Int32) -> Judgement {
        let seen = Double(window.entries.count), local = rule.zone.minuteOfWeek(minute, &zone)
        let usual = states[place]!.baseline!.usual(hour: local / 60, least: rule.leastBaseline) ?? 0
        let isWatched = rule.scope.hours?.contains(minuteOfWeek: local) ?? true
        let isSet = isWatched && usual >= Double(rule.leastDevices) && seen <= rule.set * usual
        return Judgement(
            isSet: isSet, isClear: seen >= max(1, rule.clear * usual), devices: Int(usual.rounded()), seen: seen)
    }

    private func collapse(_ window: DeviceWindow, _ place: Int) -> Judgement {
        let all = window.entries.count
        let mean = all == 0 ? nil : Double(window.sum()) / Double(all)
        let usual = states[place]!.baseline!.usual(hour: 0, least: rule.leastBaseline)
        let fall = usual.flatMap { usual in mean.map { usual - $0 } } ?? 0
        return Judgement(
            isSet: all >= rule.leastDevices && fall >= rule.set, isClear: fall <= rule.clear, devices: all,
            seen: all >= rule.leastDevices ? mean : nil)
    }
}
