internal import Models

/// Alarms of one rule and owner that lie together in a cell of level 9: from three within ``window(_:)`` on they have a parent.
///
/// Which children there were lately only grows until a parent is raised. So what the rows ahead of the watermark raise at once
/// is what the watermark raises, whatever the order of the rows.
struct Storm: Sendable, Equatable {
    /// Of the parents' cells; rules of coarser cells have none.
    static let level = 9
    /// Fewest children by which a parent is raised.
    static let least = 3
    /// Minutes, besides the rule's lateness, within which children belong together.
    static let gathering: Int32 = 60
    /// With what names of parents' rules begin. No document can have such a name.
    static let prefix = "storm."

    let key: WindowKey
    /// Of the parent that is open, or of the last one; 0 before the first.
    var number: Int64 = 0
    /// Nil while no parent is open.
    var raised: Int32?
    /// False while rows ahead of the watermark alone say so.
    var isConfirmed = false
    /// As it was told.
    var severity = Severity.cleared
    /// The worst of its children, the most of them open at a time and their devices, up to the watermark.
    var worst = Severity.cleared
    var children = 0, devices = 0
    var isSampled = false
    /// Whether it has children since it was told last.
    var hasNewChildren = false
    /// Minutes in which children were last open, by subject.
    var recent: [UInt64: Int32] = [:]

    var isOpen: Bool { raised != nil }

    init(_ key: WindowKey) { self.key = key }

    /// How long a child counts after it was open. It is longer than rows may come late: a child that the watermark knows still
    /// counts when a row ahead raises another.
    static func window(_ rule: AlarmRule) -> Int32 { gathering + Int32(clamping: rule.lateness / 60_000) }

    mutating func begin(_ number: Int64, at minute: Int32) {
        (self.number, raised, isConfirmed) = (number, minute, false)
        (severity, worst, children, devices, isSampled) = (.cleared, .cleared, 0, 0, false)
    }

    func write(_ writer: inout WindowWriter) {
        writer.put(signed: number)
        writer.put(raised)
        writer.put(UInt8(isConfirmed ? 1 : 0) | (isSampled ? 2 : 0) | (hasNewChildren ? 4 : 0))
        writer.put(severity.rawValue)
        writer.put(worst.rawValue)
        writer.put(children)
        writer.put(devices)
        writer.put(recent.count)
        for (subject, minute) in recent.sorted(by: { $0.key < $1.key }) {
            writer.put(subject)
            writer.put(signed: Int64(minute))
        }
    }

    init(_ key: WindowKey, _ reader: inout WindowReader) throws(StateError) {
        self.init(key)
        number = try reader.signed()
        raised = try reader.minute()
        let flags: UInt8 = try reader.narrow()
        isConfirmed = flags & 1 != 0
        isSampled = flags & 2 != 0
        hasNewChildren = flags & 4 != 0
        guard let severity = Severity(rawValue: try reader.text()), let worst = Severity(rawValue: try reader.text())
        else { throw StateError.damaged }
        (self.severity, self.worst) = (severity, worst)
        children = try reader.whole()
        devices = try reader.whole()
        for _ in 0..<(try reader.count()) {
            let subject = try reader.number()
            recent[subject] = Int32(clamping: try reader.signed())
        }
    }
}
