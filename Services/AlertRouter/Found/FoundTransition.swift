internal import AlarmRules
internal import Models

/// What became of an alarm of a rule, on its way from the windows' database to the router's.
struct FoundTransition: Sendable, Equatable {
    /// What there is one episode of, within a life of the windows.
    struct Key: Sendable, Hashable {
        let rule: String
        let owner: Scope
        let subject: AlarmedSubject
        let episode: Int64
    }

    /// Numbers rise by one home's life of its windows; told again, one changes nothing.
    var number: Int64
    /// Which run of episode numbers it belongs to; another one begins when the state of the windows is lost.
    let life: Int64
    let key: Key
    let change: RuleTransition.Change
    let severity: Severity
    let raisedAt: UnixMilliseconds
    let clearedAt: UnixMilliseconds?
    let devices: Int64
    /// When the row or the watermark that showed it was received, by ingest's clock.
    let foundAt: UnixMilliseconds
    let type, cause, text, french: String
    /// The episode of the storm's parent that it is a child of; nil if of none.
    var parent: Int64?
    /// Of a storm's parent the most alarms at a time that lie in its cell.
    var children: Int64 = 0
    /// Of a storm's parent that is raised the first of them.
    var named: [Child] = []
    /// How long the rule waits before it clears, and for rows that come late.
    var holdClear: UnixMilliseconds = 0
    var lateness: UnixMilliseconds = 0

    /// An alarm that lies in a storm: its cell and episode.
    struct Child: Sendable, Equatable {
        let cell: Quadkey
        let episode: Int64
    }
}

extension FoundTransition {
    /// - Parameter rule: the one that found it.
    init(_ found: RuleTransition, _ rule: AlarmRule?, life: Int64, foundAt: UnixMilliseconds) {
        let subject: AlarmedSubject =
            switch found.subject {
            case .cell(let cell): .cell(cell)
            case .number(let scheme, let number): .number(scheme: scheme, number)
            }
        let text = rule?.text
        let words = text?.text ?? found.rule, french = text?.french ?? words
        self.init(
            number: 0, life: life,
            key: Key(rule: found.rule, owner: found.owner, subject: subject, episode: found.episode),
            change: found.change, severity: found.severity, raisedAt: found.raisedAt, clearedAt: found.clearedAt,
            devices: Int64(found.devices), foundAt: foundAt, type: text?.type ?? RuleText.types[0],
            cause: text?.cause ?? "thresholdCrossed", text: found.isParent ? "\(words), in several cells" : words,
            french: found.isParent ? "\(french), dans plusieurs cellules" : french, parent: found.parent,
            children: Int64(found.children),
            named: found.named.compactMap { child in
                guard case .cell(let cell?) = child.subject else { return nil }
                return Child(cell: cell, episode: child.episode)
            }, holdClear: UnixMilliseconds(rule?.holdClear ?? 0) * 60_000, lateness: rule?.lateness ?? 0)
    }

    /// The alarms that it names as its children.
    var namedKeys: [Key] {
        let rule = String(key.rule.dropFirst(RuleTransition.parentRule("").count))
        return named.map { Key(rule: rule, owner: key.owner, subject: .cell($0.cell), episode: $0.episode) }
    }

    /// The storm's parent that it is a child of; nil if of none.
    var parentKey: Key? {
        guard let parent, let cell = key.subject.cell else { return nil }
        return Key(
            rule: RuleTransition.parentRule(key.rule), owner: key.owner,
            subject: .cell(cell.parent(at: RuleTransition.parentLevel)), episode: parent)
    }
}

/// Children in the outbox: `122223012230:4 122223012231:1`.
extension [FoundTransition.Child] {
    init(text: String) {
        self = text.split(separator: " ").compactMap { word in
            let parts = word.split(separator: ":")
            guard parts.count == 2, let cell = Quadkey(text: String(parts[0])), let episode = Int64(parts[1]) else {
                return nil
            }
            return FoundTransition.Child(cell: cell, episode: episode)
        }
    }

    var text: String { map { "\($0.cell.text):\($0.episode)" }.joined(separator: " ") }
}
