internal import Models

/// A metric as a rule names it, with the programme that has it.
struct FoundMetric {
    let programme: Programme
    /// Nil where rows count whatever they say.
    let metric: RuleMetric?
    let kinds: [ProgrammeKind]

    /// Reads `programme`, `metric` and `bad`, as far as the kind of the rule has them.
    init?(_ reader: inout RuleReader, _ kind: RuleKind, _ programmes: Programmes) {
        let names = programmes.all.map(\.name)
        guard let name = reader.word("programme", of: names, default: names.first),
            let programme = programmes.all.first(where: { $0.name == name })
        else { return nil }
        let counted = programme.kinds.filter(\.isCounted)
        guard kind != .silence else {
            self.init(programme: programme, metric: nil, kinds: counted)
            return
        }
        let usable = programme.metrics.filter { kind != .collapse || Self.hasSmallValues($0, programme) }
        guard let word = reader.word("metric", of: usable.map(\.name)),
            let metric = programme.metric(named: word), let field = programme.field(of: metric),
            let bad = kind == .collapse ? RuleMetric.Bad.none : RuleMetric.Bad(&reader, metric, field)
        else {
            _ = reader.optional("bad")
            return nil
        }
        self.init(
            programme: programme,
            metric: RuleMetric(
                name: word, column: metric.column, bad: bad, scale: field.scale, isOfSIM: metric.isOfSIM),
            kinds: counted.filter { metric.isOf($0.kind.id) && $0.kind.field(metric.column) != nil })
    }

    private init(programme: Programme, metric: RuleMetric?, kinds: [ProgrammeKind]) {
        self.programme = programme
        self.metric = metric
        self.kinds = kinds
    }

    /// Whether a phone can tell what is bad only when it is over: that it had no service, an emergency.
    var comesLate: Bool {
        guard case .codes(let codes) = metric?.bad, let column = metric?.column,
            case .choice(let choices) = kinds.lazy.compactMap({ $0.kind.field(column) }).first?.representation
        else { return false }
        return ["no_service", "emergency"].contains { name in
            choices.code(of: name).map { codes >> UInt64($0) & 1 == 1 } ?? false
        }
    }

    /// Whether its values are marks, such as stars: of 0…100, whole, a higher one the better.
    private static func hasSmallValues(_ metric: ProgrammeMetric, _ programme: Programme) -> Bool {
        guard metric.isOrdered, let field = programme.field(of: metric) else { return false }
        return field.range.lowerBound >= 0 && field.range.upperBound <= 100 && field.unit.isEmpty
    }
}

extension RuleMetric.Bad {
    /// Reads `bad`: `{"below": 20}` or `{"above": 150}` in the metric's unit, or names of a choice.
    init?(_ reader: inout RuleReader, _ metric: ProgrammeMetric, _ field: Field) {
        if case .choice(let choices) = field.representation {
            let allowed = "one of " + choices.names.joined(separator: ", ")
            guard reader.value("bad", allowed: "an array of some of " + choices.names.joined(separator: ", ")) != nil,
                let codes = reader.list("bad", of: allowed, { choices.code(of: $0) })
            else { return nil }
            self = .codes(codes.reduce(0) { $0 | 1 << UInt64($1) })
            return
        }
        let range = Self.range(field)
        let allowed =
            "{\"below\": n} or {\"above\": n}, n in \(RuleValue.text(range.lowerBound))…"
            + RuleValue.text(range.upperBound) + (field.unit.isEmpty ? "" : " \(field.unit)")
        guard reader.value("bad", allowed: allowed) != nil, var inner = reader.object("bad") else { return nil }
        defer {
            inner.finish()
            reader.take(inner)
        }
        guard inner.has("below") != inner.has("above") else {
            _ = (inner.optional("below"), inner.optional("above"))
            reader.refuse("bad", "has \(inner.has("below") ? "both" : "neither") below and above", allowed: allowed)
            return nil
        }
        let isBelow = inner.has("below")
        guard
            let number = inner.number(
                isBelow ? "below" : "above", in: range, unit: field.unit.isEmpty ? "" : " \(field.unit)")
        else { return nil }
        let stored = Int64((number * Double(field.scale)).rounded())
        self = isBelow ? .below(stored) : .above(stored)
    }

    /// What is plausible, in natural units.
    private static func range(_ field: Field) -> ClosedRange<Double> {
        Double(field.range.lowerBound) / Double(field.scale)...Double(field.range.upperBound) / Double(field.scale)
    }
}
