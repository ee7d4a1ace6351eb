internal import AlarmRules
internal import ExporterRows
internal import ExporterSupport
internal import Models
internal import Wire

/// Plays stored rows through a rule, and through the one whose place it would take, as the router would have met them.
struct RuleTestRun: Sendable {
    /// What one test may take.
    struct Limits: Sendable {
        /// Rows that are looked at, whoever's they are.
        var rows = 3_000_000
        var time = Duration.seconds(30)
        /// Alarms that are found.
        var alarms = 10_000
        /// Bytes of windows, of each of the two rules.
        var windows = 16 << 20
    }

    /// Why a test ended before its period did.
    enum Stop: String, Sendable, CaseIterable { case rows, time, alarms }

    let change: RuleChange
    /// Of event time.
    let period: Range<UnixMilliseconds>
    /// Whose rows count.
    let scope: NetworkScope
    let trust: TrustPolicy
    let programmes: Programmes
    let now: UnixMilliseconds
    var limits = Limits()

    struct Found: Sendable {
        /// Those that go on within the period.
        let alarms: [TriedAlarm]
        /// The same of the rule in force; nil if there is none.
        let inForce: [TriedAlarm]?
        let figures: RuleFigures?
        /// Rows from then on were looked at.
        let readFrom: UnixMilliseconds
        /// Up to then everything was judged.
        let testedTo: UnixMilliseconds
        let stop: Stop?
    }

    /// What changes while rows are played.
    private struct Play {
        var trials: [RuleTrial]
        var readers: [UInt8: RuleRowReader] = [:]
        /// Up to when rows were received, and to when the rules have gone on.
        var received = UnixMilliseconds.min, advanced = UnixMilliseconds.min
        var rows = 0
    }

    /// Rules go on in steps of so many milliseconds, as in the router.
    private static let step: UnixMilliseconds = 10_000

    /// Runs the test; call on a thread that may block.
    ///
    /// - Throws: ``ParameterFault`` `too_many_rows` if nothing of the period could be judged; what reading throws.
    func run(_ files: RawRowFiles.Opener) throws -> Found {
        let wanted = period.lowerBound - change.lead
        let readFrom = max(wanted, ReceivedBlocks.firstDay(files) ?? wanted)
        let end = min(now, period.upperBound + change.lateness + 60_000)
        var play = Play(
            trials: (change.isSame ? [change.rule] : [change.rule, change.inForce].compactMap(\.self)).map {
                RuleTrial([$0], budget: limits.windows)
            })
        let stop = try playRows(files, from: readFrom, to: end, &play)
        if stop == nil { for place in play.trials.indices { play.trials[place].advance(to: end) } }
        let judged = (stop == nil ? end : max(readFrom, play.received)) - change.lateness
        if let stop, judged <= period.lowerBound {
            throw ParameterFault(
                "from",
                "the rule needs rows from \(Timestamp.text(wanted)) on, which are more than a test may look at (\(stop.rawValue))",
                code: "too_many_rows")
        }
        let alarms = play.trials.map { trial in trial.alarms.filter(isWithin) }
        return Found(
            alarms: alarms[0], inForce: change.isSame ? alarms[0] : alarms.dropFirst().first,
            figures: play.trials[0].figures[change.rule.id], readFrom: readFrom,
            testedTo: max(period.lowerBound, min(period.upperBound, judged)), stop: stop)
    }

    private func isWithin(_ alarm: TriedAlarm) -> Bool {
        alarm.raisedAt < period.upperBound && alarm.clearedAt ?? .max > period.lowerBound
    }

    private func playRows(
        _ files: RawRowFiles.Opener, from start: UnixMilliseconds, to end: UnixMilliseconds, _ play: inout Play
    ) throws -> Stop? {
        let deadline = ContinuousClock.now + limits.time, blocks = ReceivedBlocks(files, from: start)
        defer { blocks.close() }
        while let block = try blocks.next() {
            if play.rows + block.columns.rowCount > limits.rows { return .rows }
            if play.trials.contains(where: { $0.alarms.count > limits.alarms }) { return .alarms }
            if ContinuousClock.now > deadline { return .time }
            guard feed(block, end, &play) else { return nil }
        }
        return nil
    }

    /// Hands a block's rows to the rules; false when all that count have been received.
    private func feed(_ block: StoredBlock, _ end: UnixMilliseconds, _ play: inout Play) -> Bool {
        guard let kind = programmes.kind(block.kind.id), let programme = programmes.programme(of: kind.kind.id) else {
            return true
        }
        let reader = play.readers[kind.kind.id] ?? RuleRowReader(kind, of: programme)
        play.readers[kind.kind.id] = reader
        let columns = block.columns, owners = RowOwners(columns, kind.scope)
        var byNumber = [Column?](repeating: nil, count: 256)
        let own = [ColumnID.receivedAt, ColumnID.capturedAt, ColumnID.flags, ColumnID.device]
        for id in Set(own + reader.columns + change.rule.columns + (change.inForce?.columns ?? [])) {
            if let column = columns[id], column.integers.count == columns.rowCount { byNumber[Int(id)] = column }
        }
        let values = byNumber
        for row in 0..<columns.rowCount {
            let value = { (column: UInt8) in values[Int(column)]?.integer(row) }
            let received = value(ColumnID.receivedAt) ?? 0
            guard received < end else { return false }
            advance(&play, to: received)
            play.rows += 1
            let captured = value(ColumnID.capturedAt) ?? received
            let flags = RowFlags(rawValue: value(ColumnID.flags) ?? 0)
            guard captured - received <= AcceptanceHorizon.ahead else { continue }
            for place in play.trials.indices { play.trials[place].hear(at: captured) }
            guard trust.counts(flags), owners.isShown(row, to: scope),
                let device = UInt32(exactly: value(ColumnID.device) ?? 0)
            else { continue }
            var read = reader.row(device: device, eventAt: captured, value)
            if flags.contains(.notForOperators) { read.unshare() }
            for place in play.trials.indices { play.trials[place].add(read, receivedAt: received, value) }
        }
        return true
    }

    private func advance(_ play: inout Play, to received: UnixMilliseconds) {
        play.received = max(play.received, received)
        guard play.received - Self.step >= play.advanced || play.advanced == .min else { return }
        play.advanced = play.received
        for place in play.trials.indices { play.trials[place].advance(to: play.advanced) }
    }
}
