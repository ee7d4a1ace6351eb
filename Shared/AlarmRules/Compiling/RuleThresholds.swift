internal import Models

/// The times of a rule: all are minutes but ``lateness``.
struct RuleTimes {
    let window, holdSet, holdClear: Int32
    let lateness: UnixMilliseconds

    /// Reads `window_s`, `hold_set_s`, `hold_clear_s` and `lateness_s`.
    init?(_ reader: inout RuleReader, _ found: FoundMetric?) {
        let window = reader.whole("window_s", in: 60...86_400, step: 60)
        let holdSet = reader.whole("hold_set_s", in: 0...86_400, step: 60)
        let holdClear = reader.whole("hold_clear_s", in: 0...86_400, step: 60)
        let lateness = reader.whole(
            "lateness_s", in: 0...86_400, default: found?.comesLate == true ? 3_600 : 120)
        guard let window, let holdSet, let holdClear, let lateness else { return nil }
        self.window = Int32(window / 60)
        self.holdSet = Int32(holdSet / 60)
        self.holdClear = Int32(holdClear / 60)
        self.lateness = UnixMilliseconds(lateness) * 1_000
    }
}

/// What raises and clears an alarm.
struct RuleThresholds {
    let set, clear: Double
    let leastDevices, leastBaseline: Int

    /// Reads `set`, `clear`, `min_devices` and, of kinds with a baseline, `baseline_weeks` or `baseline_hours`.
    init?(_ reader: inout RuleReader, _ kind: RuleKind) {
        let bounds = Self.bounds(kind)
        let set = kind == .urgent ? 1 : Self.number(&reader, "set", bounds, kind)
        let clear = kind == .urgent ? 0 : Self.number(&reader, "clear", kind.isCounting ? 0...255 : bounds, kind)
        let devices = kind.isCounting ? 0 : reader.whole("min_devices", in: 1...256)
        let baseline: Int? =
            switch kind {
            case .silence: reader.whole("baseline_weeks", in: 1...8, default: 2)
            case .collapse: reader.whole("baseline_hours", in: 1...168, default: 24)
            default: 0
            }
        guard let set, let clear else { return nil }
        let isBelow = kind == .silence
        guard isBelow ? clear > set : clear < set else {
            let allowed = "\(isBelow ? "more" : "less") than set, which is \(RuleValue.text(set))"
            reader.refuse("clear", "is \(RuleValue.text(clear))", allowed: allowed)
            return nil
        }
        guard let devices, let baseline else { return nil }
        self.set = set
        self.clear = clear
        leastDevices = devices
        leastBaseline = baseline
    }

    private static func number(
        _ reader: inout RuleReader, _ name: String, _ bounds: ClosedRange<Double>, _ kind: RuleKind
    ) -> Double? {
        guard kind.isCounting else { return reader.number(name, in: bounds) }
        return reader.whole(name, in: Int(bounds.lowerBound)...Int(bounds.upperBound)).map(Double.init)
    }

    /// Devices, a share, a share of what is usual, or the marks that a mean is lower.
    private static func bounds(_ kind: RuleKind) -> ClosedRange<Double> {
        switch kind {
        case .urgent, .count: 1...256
        case .ratio, .silence: 0...1
        case .collapse: 0...100
        }
    }
}

extension RuleSubjectScheme {
    /// Reads `level`, or `subject` of kinds whose alarms are about something with a number.
    init?(_ reader: inout RuleReader, _ found: FoundMetric) {
        let schemes = Array(Set(found.kinds.map(\.subject.scheme))).sorted()
        guard let scheme = reader.word("subject", of: schemes, default: schemes.count == 1 ? schemes[0] : "cell") else {
            _ = reader.optional("level")
            return nil
        }
        guard scheme == "cell" else {
            self = .numbers(scheme: scheme)
            return
        }
        guard let level = reader.whole("level", in: 0...Quadkey.finestLevel) else { return nil }
        self = .cells(level: level)
    }
}

extension [SeverityStep] {
    /// Reads `severity`: one word, or steps by devices, each more severe than the one before.
    init?(_ reader: inout RuleReader) {
        let words = Severity.allCases.filter { $0 > .cleared }.map(\.rawValue)
        let allowed = "one of " + words.joined(separator: ", ") + ", or an array of {devices, severity}"
        guard let value = reader.value("severity", allowed: allowed) else { return nil }
        if case .string = value {
            guard let word = reader.word("severity", of: words), let one = Severity(rawValue: word) else { return nil }
            self = [SeverityStep(devices: 1, severity: one)]
            return
        }
        guard let values = reader.list("severity", of: "{devices, severity}") else { return nil }
        self = []
        for (index, value) in values.enumerated() {
            let name = "severity[\(index)]"
            guard case .object(let members) = value else {
                reader.refuse(name, "is \(value.text)", allowed: "{devices, severity}")
                continue
            }
            var inner = RuleReader(members, within: reader.path("severity[\(index)]."))
            let least = (last?.devices ?? 0) + 1
            let devices = inner.whole("devices", in: least...Swift.max(least, 256))
            let severity = inner.word("severity", of: words).flatMap(Severity.init(rawValue:))
            if let severity, let before = last?.severity, severity <= before {
                inner.refuse("severity", "is \(severity.rawValue)", allowed: "more severe than \(before.rawValue)")
            }
            inner.finish()
            reader.take(inner)
            if let devices, let severity { append(SeverityStep(devices: devices, severity: severity)) }
        }
        if isEmpty { return nil }
    }
}

extension RuleText {
    /// Reads `type`, `cause`, `text` and, where it is given, `text_fr`.
    init?(_ reader: inout RuleReader) {
        let type = reader.word("type", of: Self.types, default: "qualityOfServiceAlarm")
        let cause = reader.word("cause", of: Self.causes, default: "thresholdCrossed")
        let text = reader.text("text")
        let french = reader.has("text_fr") ? reader.text("text_fr") : nil
        _ = reader.optional("text_fr")
        guard let type, let cause, let text else { return nil }
        self.init(type: type, cause: cause, text: text, french: french)
    }
}
