public import Models

extension AlarmRule {
    /// Names of the rules of alarms that the router raises by itself. No document can have one, nor a name that begins as parents of
    /// storms do.
    public static let reservedNames: Set<String> = [
        "alarms.flood", "erasure.late", "rewards.float", "sensor", "sensor.tamper", "urgent",
    ]

    /// Compiles a document: the one way in which the exporter judges it, the router runs it and `nkul admin rule check` tries it.
    ///
    /// - Parameters:
    ///   - id: the rule's name.
    ///   - owned: what the tenant of the rule owns; nil for a regulator.
    /// - Throws: ``DocumentRefusal`` with everything that is wrong. There is no rule then, not a part of one.
    public init(
        compiling document: [UInt8], id: String, programmes: Programmes, owned: Set<Scope>? = nil
    ) throws(DocumentRefusal) {
        try self.init(compiling: RuleDocument(bytes: document), id: id, programmes: programmes, owned: owned)
    }

    /// Compiles a document that has been read.
    public init(
        compiling document: RuleDocument, id: String, programmes: Programmes, owned: Set<Scope>? = nil
    ) throws(DocumentRefusal) {
        var reader = RuleReader(document.members)
        if id.hasPrefix(Storm.prefix) {
            reader.refuse(
                "", "is called \"\(id)\"", allowed: "another name: parents of storms begin with \(Storm.prefix)")
        }
        if Self.reservedNames.contains(id) {
            reader.refuse("", "is called \"\(id)\"", allowed: "another name: the router's own alarms have this one")
        }
        let rule = Self.read(&reader, id, programmes, owned)
        // Only a document whose kind is known has members that can be unknown.
        if rule.kind != nil { reader.finish() }
        guard let made = rule.made, reader.problems.isEmpty else { throw DocumentRefusal(reader.problems) }
        self = made
    }

    private static func read(
        _ reader: inout RuleReader, _ id: String, _ programmes: Programmes, _ owned: Set<Scope>?
    ) -> (kind: RuleKind?, made: AlarmRule?) {
        let version = reader.whole("version", in: RuleDocument.version...RuleDocument.version)
        guard let word = reader.word("kind", of: RuleKind.allCases.map(\.rawValue)), let kind = RuleKind(rawValue: word)
        else { return (nil, nil) }
        let found = FoundMetric(&reader, kind, programmes)
        let times = RuleTimes(&reader, found)
        let thresholds = RuleThresholds(&reader, kind)
        let zone = zone(&reader, kind)
        let subject = found.flatMap { RuleSubjectScheme(&reader, $0) }
        let scope = found.map { RuleScope(&reader, $0, owned: owned, zone: zone) }
        let severities = [SeverityStep](&reader)
        let text = RuleText(&reader)
        _ = reader.optional("examples")
        if found == nil { _ = (reader.optional("subject"), reader.optional("level"), reader.optional("scope")) }
        guard version != nil, let found, let times, let thresholds, let subject, let scope, let severities, let text
        else { return (kind, nil) }
        let made = AlarmRule(
            id: id, kind: kind, recordKinds: found.kinds.map(\.kind.id), metric: found.metric, window: times.window,
            holdSet: times.holdSet, holdClear: times.holdClear, set: thresholds.set, clear: thresholds.clear,
            leastDevices: thresholds.leastDevices, leastBaseline: thresholds.leastBaseline, lateness: times.lateness,
            subject: subject, scope: scope, zone: zone ?? .utc, severities: severities, text: text,
            ownerScheme: found.kinds.first?.scope.scheme ?? Scope.plmn)
        return (kind, made)
    }

    private static func zone(_ reader: inout RuleReader, _ kind: RuleKind) -> LocalZone? {
        let allowed = "an IANA zone such as Africa/Douala"
        guard kind == .silence || reader.has("zone") else {
            _ = reader.optional("zone")
            return nil
        }
        guard let value = reader.value("zone", allowed: allowed) else { return nil }
        if case .string(let name) = value, let zone = LocalZone(name: name) { return zone }
        reader.refuse("zone", "is \(value.text)", allowed: allowed)
        return nil
    }

    private init(
        id: String, kind: RuleKind, recordKinds: [UInt8], metric: RuleMetric?, window: Int32, holdSet: Int32,
        holdClear: Int32, set: Double, clear: Double, leastDevices: Int, leastBaseline: Int,
        lateness: UnixMilliseconds, subject: RuleSubjectScheme, scope: RuleScope, zone: LocalZone,
        severities: [SeverityStep], text: RuleText, ownerScheme: String
    ) {
        self.id = id
        self.kind = kind
        self.recordKinds = recordKinds
        self.metric = metric
        self.window = window
        self.holdSet = holdSet
        self.holdClear = holdClear
        self.set = set
        self.clear = clear
        self.leastDevices = leastDevices
        self.leastBaseline = leastBaseline
        self.lateness = lateness
        self.subject = subject
        self.scope = scope
        self.zone = zone
        self.severities = severities
        self.text = text
        self.ownerScheme = ownerScheme
        let owners = scope.owners.map { "\($0.sorted())" } ?? "all"
        let hours = scope.hours.map { "\($0.from) \($0.to) \($0.days.sorted())" } ?? "all"
        let decisive = """
            \(kind) \(recordKinds) \(String(describing: metric)) \(window) \(holdSet) \(holdClear) \(set) \(clear) \
            \(leastDevices) \(leastBaseline) \(lateness) \(subject) \(owners) \(scope.strata) \(scope.place) \(hours) \
            \(zone.name) \(severities) \(ownerScheme)
            """
        var generator = SplitMix64(seed: 0, name: decisive)
        fingerprint = generator.next()
    }
}
