extension RuleRun {
    /// Says of every open episode that it is withdrawn.
    func withdraw(into transitions: inout [RuleTransition]) {
        for place in states.indices where states[place]?.isOpen ?? false {
            transitions.append(transition(place, .withdrawn))
        }
        withdrawStorms(into: &transitions)
    }

    /// The same with other texts.
    func renamed(_ rule: AlarmRule) -> RuleRun {
        var run = RuleRun(rule, numbersAfter: numbersAfter)
        (run.level, run.capacity, run.goodCapacity, run.settled) = (level, capacity, goodCapacity, settled)
        (run.states, run.free, run.places, run.numbers) = (states, free, places, numbers)
        (run.figures, run.storms, run.partialUntil, run.sinceLook) = (figures, storms, partialUntil, sinceLook)
        return run
    }

    /// A rule of the same name begins anew and goes on numbering.
    func replaced(by rule: AlarmRule) -> RuleRun {
        var run = RuleRun(rule, numbersAfter: numbersAfter)
        run.numbers = numbers
        return run
    }

    mutating func erase(_ device: UInt32, into transitions: inout [RuleTransition]) -> Int {
        var windows = 0
        for place in states.indices where states[place] != nil {
            states[place]!.ahead.removeAll { $0.ordinal == device }
            for waiting in states[place]!.waiting.indices { states[place]!.waiting[waiting].erase(device) }
            if states[place]!.window.erase(device) { windows += 1 }
            guard let before = states[place]!.episode?.members.count else { continue }
            states[place]!.episode!.members.removeAll { $0.ordinal == device }
            guard states[place]!.episode!.members.count < before else { continue }
            let episode = states[place]!.episode!
            states[place]!.episode!.peak = min(episode.peak, episode.members.count)
            transitions.append(transition(place, .revised))
        }
        return windows
    }
}
