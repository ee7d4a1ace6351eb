import Models

/// Days pass when phones have said everything, and what is too old goes.
extension SimulationRun {
    private static let day: Int64 = 86_400_000
    /// Milliseconds in which what phones sent twice, and nobody waits for any more, arrives.
    private static let rest: Int64 = 1_500
    /// Milliseconds after waking in which services die and messages get lost.
    private static let storm = 4_000
    /// Milliseconds after waking in which somebody has everything erased: days are closed some five seconds after it.
    private static let erasing: Int64 = 9_000
    /// Milliseconds after that in which everything must be done.
    private static let nightPatience: Int64 = 60_000

    /// Plans that everybody sleeps while phones still send.
    func planNaps(_ plan: RetentionPlan) {
        for nap in plan.naps {
            timeline.at(SimulationSettings.start + nap.at) { [self] in
                if nap.hasSlowReader { services.slowReader().die(for: simulation.random.within(2000...4000)) }
                timeline.after(nap.hasSlowReader ? simulation.random.within(200...900) : 0) { [self] in
                    sleep(until: clock.now + nap.hours * 3_600_000)
                }
            }
        }
    }

    /// Plans that everybody sleeps for a while in which alarms may end.
    func planPauses() {
        for pause in simulation.pauses {
            timeline.at(SimulationSettings.start + pause.at) { [self] in
                sleep(until: clock.now + pause.milliseconds)
            }
        }
    }

    /// A while passes in which all alarms end.
    func endAlarms() throws {
        try pass(until: clock.now + Self.rest)
        sleep(until: clock.now + 3_700_000)
        try settle(within: Self.nightPatience)
        try compare(withCells: false)
    }

    /// Lets the nights pass and compares what is left after each run.
    func passNights(_ plan: RetentionPlan) throws {
        let midnight = clock.now / Self.day * Self.day
        if plan.naps.isEmpty { try compare(withCells: false) } else { try services.noteLateRows(simulation) }
        for (number, night) in plan.nights.enumerated() {
            try pass(until: clock.now + Self.rest)
            let before = try services.scan()
            let isStormy = night.isStormy && !simulation.isCalmFromTheStart
            if isStormy { raiseStorm() }
            sleep(until: midnight + night.until)
            if simulation.isRestored { simulation.note(.nightAfterRestore) }
            if night.asksWhatWouldGo { services.retention.ask() }
            if let eraser = night.eraser {
                timeline.after(simulation.random.below(Int(Self.erasing))) { [self] in
                    simulation.note(.erasedInTheNight)
                    phones.eraseEverything(of: eraser)
                }
            }
            try pass(until: clock.now + (night.eraser != nil ? Self.erasing : isStormy ? Int64(Self.storm) : 500))
            try settle(within: Self.nightPatience)
            try services.compareRetention(night.eraser == nil ? before : nil, simulation)
            if !night.asksWhatWouldGo { try compare(withCells: number == plan.nights.count - 1) }
        }
    }

    /// A day passes in which nothing else goes but copies.
    func endCopies() throws {
        try pass(until: clock.now + Self.rest)
        sleep(until: clock.now + Self.day + Int64(simulation.random.below(1000)))
        services.operators.contacts.noteSleep(hours: 24)
        try settle(within: Self.nightPatience)
        try compare(withCells: false)
    }

    /// Two hours pass in which the watermark comes to everything that rules have found, and all alarms of one record end.
    func endRules() throws {
        try pass(until: clock.now + Self.rest)
        sleep(until: clock.now + 7_500_000 + Int64(simulation.random.below(1000)))
        services.operators.contacts.noteSleep(hours: 2)
        try settle(within: Self.nightPatience)
        try compare(withCells: false)
    }

    private func compare(withCells: Bool) throws { try services.compare(simulation, withCells: withCells) }

    private func settle(within patience: Int64) throws {
        let end = clock.now + patience
        while try !isSettled() {
            guard clock.now < end, timeline.nextTime != nil else {
                throw SimulationFailure("a night does not end: \(services.standing)")
            }
            // To look is dear.
            try pass(until: clock.now + 100)
        }
    }

    private func sleep(until moment: Int64) {
        simulation.sleep(until: moment)
        services.wakeAll()
    }

    /// Lets happen what is to happen until then.
    func pass(until moment: Int64) throws {
        while clock.now < moment, try timeline.step() {}
    }

    /// Some are dead when the others wake, some die in the middle of what they do then.
    private func raiseStorm() {
        simulation.faults.lost = simulation.random.pick([0, 20, 80])
        if simulation.random.chance(500) { services.trouble(commits: 0, afterwards: false) }
        for _ in 0..<simulation.random.within(1...4) {
            timeline.after(simulation.random.below(Self.storm - 500)) { [self] in
                let commits = simulation.random.pick([0, 0, 1, 2, 4]), afterwards = simulation.random.chance(400)
                if simulation.random.chance(200) {
                    ingest.arm(commits: commits, afterwards: afterwards)
                } else {
                    services.trouble(commits: commits, afterwards: afterwards)
                }
            }
        }
        timeline.after(Self.storm) { [self] in
            simulation.faults.clear()
            ingest.disarm()
            services.disarm()
        }
    }
}
