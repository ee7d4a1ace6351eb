internal import Models

extension RuleEngine {
    private static let version: UInt8 = 5
    /// One without the numbers of rules that were removed.
    private static let versionBefore: UInt8 = 4

    /// Everything that it knows, for a database. The same knowledge is the same bytes.
    public func encoded() -> [UInt8] {
        var writer = WindowWriter()
        writer.put(Self.version)
        writer.put(heard.count)
        for minute in heard.sorted() { writer.put(signed: Int64(minute)) }
        writer.put(runs.count)
        for run in runs { run.write(&writer) }
        writer.put(removed.count)
        for (rule, number) in removed.sorted(by: { $0.key < $1.key }) {
            writer.put(rule)
            writer.put(signed: number)
        }
        return writer.bytes
    }

    /// Goes on from what ``encoded()`` wrote.
    ///
    /// - Parameter rules: those of then; ``reload(_:)`` puts those of now in their place and says what became of their alarms.
    /// - Throws: ``StateError``.
    package static func decoded(
        _ bytes: [UInt8], _ rules: [AlarmRule], budget: Int = RuleEngine.usualBudget
    ) throws(StateError) -> RuleEngine {
        var engine = RuleEngine(rules, budget: budget)
        var reader = WindowReader(bytes)
        let version = try reader.number()
        guard version == Self.version || version == Self.versionBefore else { throw StateError.version(version) }
        let hasRemoved = version == Self.version
        for _ in 0..<(try reader.count()) { engine.heard.insert(Int32(clamping: try reader.signed())) }
        for _ in 0..<(try reader.count()) {
            let id = try reader.text(), fingerprint = try reader.fixed()
            let rule = rules.first { $0.id == id }
            guard let rule, rule.fingerprint == fingerprint else { throw StateError.rule(id) }
            guard let place = engine.runs.firstIndex(where: { $0.rule.id == id }) else { throw StateError.damaged }
            engine.runs[place] = try RuleRun(rule, &reader)
            if hasRemoved { engine.runs[place].numbersAfter = try reader.signed() }
        }
        for _ in 0..<(try hasRemoved ? reader.count() : 0) {
            let rule = try reader.text()
            engine.removed[rule] = try reader.signed()
        }
        guard reader.isAtEnd else { throw StateError.damaged }
        engine.measuredBytes = engine.byteCount
        return engine
    }
}

extension RuleRun {
    func write(_ writer: inout WindowWriter) {
        writer.put(rule.id)
        writer.put(fixed: rule.fingerprint)
        writer.put(level)
        writer.put(capacity)
        writer.put(goodCapacity)
        writer.put(settled)
        let order = places.sorted { $0.key < $1.key }
        writer.put(sinceLook)
        writer.put(order.count)
        for (_, place) in order { states[place]!.write(&writer) }
        writer.put(numbers.count)
        for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
            key.write(&writer)
            writer.put(signed: number)
        }
        writer.put(storms.count)
        for (key, storm) in storms.sorted(by: { $0.key < $1.key }) {
            key.write(&writer)
            storm.write(&writer)
        }
        writer.put(partialUntil)
        writer.put(signed: numbersAfter)
    }

    init(_ rule: AlarmRule, _ reader: inout WindowReader) throws(StateError) {
        self.init(rule)
        let finest = level
        level = try reader.whole()
        capacity = try reader.whole()
        goodCapacity = try reader.whole()
        guard (0...finest).contains(level), (1...DeviceWindow.mostDevices).contains(capacity),
            (1...WaitingDevices.mostGood).contains(goodCapacity)
        else {
            throw StateError.damaged
        }
        settled = try reader.minute()
        sinceLook = try reader.whole()
        for place in 0..<(try reader.count()) {
            let state = try SubjectState(&reader)
            states.append(state)
            guard places.updateValue(place, forKey: state.key) == nil,
                (state.baseline != nil) == rule.kind.hasBaseline
            else { throw StateError.damaged }
        }
        for _ in 0..<(try reader.count()) { numbers[try WindowKey(&reader)] = try reader.signed() }
        for _ in 0..<(try reader.count()) {
            let key = try WindowKey(&reader)
            storms[key] = try Storm(key, &reader)
        }
        partialUntil = try reader.minute()
    }
}

extension SubjectState {
    fileprivate func write(_ writer: inout WindowWriter) {
        key.write(&writer)
        window.write(&writer)
        let sorted = ahead.sorted { ($0.first, $0.ordinal) < ($1.first, $1.ordinal) }
        writer.put(sorted.count)
        for one in sorted {
            writer.put(one.ordinal)
            writer.put(signed: Int64(one.first))
        }
        writer.put(waiting.count)
        for said in waiting.sorted(by: { ($0.minute, $0.isGood ? 1 : 0) < ($1.minute, $1.isGood ? 1 : 0) }) {
            said.write(&writer)
        }
        writer.put(setSince)
        writer.put(clearSince)
        writer.put(lastClear)
        writer.put(UInt8(episode == nil ? 0 : 1) | (baseline == nil ? 0 : 2))
        episode?.write(&writer)
        baseline?.write(&writer)
    }

    fileprivate init(_ reader: inout WindowReader) throws(StateError) {
        self.init(try WindowKey(&reader), baseline: nil)
        window = try DeviceWindow(&reader)
        for _ in 0..<(try reader.count()) {
            ahead.append(Episode.Member(ordinal: try reader.narrow(), first: Int32(clamping: try reader.signed())))
        }
        for _ in 0..<(try reader.count()) { waiting.append(try WaitingDevices(&reader)) }
        setSince = try reader.minute()
        clearSince = try reader.minute()
        lastClear = try reader.minute()
        let flags: UInt8 = try reader.narrow()
        if flags & 1 != 0 { episode = try Episode(&reader) }
        if flags & 2 != 0 { baseline = try Baseline(&reader) }
    }
}

extension WindowKey {
    fileprivate func write(_ writer: inout WindowWriter) {
        writer.put(signed: owner)
        writer.put(subject)
    }

    fileprivate init(_ reader: inout WindowReader) throws(StateError) {
        self.init(owner: try reader.signed(), subject: try reader.number())
    }
}
