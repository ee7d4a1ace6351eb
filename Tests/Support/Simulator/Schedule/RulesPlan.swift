/// Which rules of alarms operators set, revise and remove while phones send: drawn from the seed, in most worlds none.
struct RulesPlan {
    struct Change {
        /// Milliseconds after the begin of the run.
        let at: Int64
        let id: String
        /// Nil removes it.
        let rule: ReferenceRule?
    }

    /// Thousandths of the worlds that keep everything, lose no home and go back to no older copy.
    private static let share = 450
    private static let events = ["no_service", "call_drop", "slow_data", "emergency", "call_setup_failure"]

    let changes: [Change]
    /// Nobody asks to be erased: of whoever is erased nobody can say what rules made of it.
    let isUndisturbed: Bool

    init?(seed: UInt64, span: Int64) {
        // Of its own, so that what is drawn here shifts nothing else of a seed.
        var random = SeededRandom(seed: seed &* 211 &+ 31)
        guard random.chance(Self.share) else { return nil }
        isUndisturbed = random.chance(700)
        changes = ["one", "two", "three"].prefix(random.within(1...3)).flatMap { id in
            Self.changes(of: id, span, &random)
        }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    /// A rule is set, mostly early; then it is revised, told in other words, removed, or set again.
    private static func changes(of id: String, _ span: Int64, _ random: inout SeededRandom) -> [Change] {
        var at = Int64(random.below(Int(span) / 3)), rule = rule(&random), isSet = true
        var changes = [Change(at: at, id: id, rule: rule)]
        for _ in 0..<random.pick([0, 0, 1, 2, 3]) {
            at += Int64(random.within(300...3000))
            if isSet, random.chance(400) {
                changes.append(Change(at: at, id: id, rule: nil))
                isSet = false
                continue
            }
            // The same again, after it was removed, finds the same again.
            if random.chance(300) {
                rule.text = "in words of \(at)"
            } else if random.chance(600) {
                rule = Self.rule(&random)
            }
            changes.append(Change(at: at, id: id, rule: rule))
            isSet = true
        }
        return changes
    }

    private static func rule(_ random: inout SeededRandom) -> ReferenceRule {
        let isCount = random.chance(650), count = random.pick([1, 1, 1, 2, 2, 3])
        let set = isCount ? count : random.pick([34, 50, 100])
        let (field, bad) = metric(&random)
        return ReferenceRule(
            kind: isCount ? .count : .ratio, field: field, bad: bad, window: random.pick([1, 2, 5, 30]),
            holdSet: isCount ? random.pick([0, 0, 0, 1]) : random.pick([0, 1]), holdClear: random.pick([0, 0, 1, 3]),
            set: set, clear: isCount ? random.below(count) : random.pick([0, 33]), least: random.pick([1, 1, 2]),
            lateness: random.pick([120, 600, 3_660, 3_660, 3_660, 3_660]),
            level: random.pick([0, 0, 0, 9, 9, 9, 12, 16]),
            steps: [.init(1, "minor"), .init(2, "major"), .init(3, "critical")], text: "as it began")
    }

    private static func metric(_ random: inout SeededRandom) -> (field: String, bad: ReferenceRule.Bad) {
        switch random.below(6) {
        case 0: return ("latency_ms", .above(random.pick([100, 300, 600])))
        case 1: return ("download_kbps", .below(random.pick([500, 20_000])))
        case 2: return ("rating", .below(random.pick([3, 4])))
        default:
            let words = events.filter { _ in random.chance(500) }
            return ("event", .words(words.isEmpty ? ["no_service"] : words))
        }
    }
}
