public import Models

/// What rules need of a row beside its values.
public struct RuleRow: Sendable {
    /// Number of its kind.
    public var kind: UInt8
    /// Ordinal of the device.
    public let device: UInt32
    /// Of the ordinal, by which windows choose devices.
    let deviceHash: UInt64
    /// When it happened, by the phone's corrected clock.
    public var eventAt: UnixMilliseconds
    /// Number of its owner, 0 where that is unknown: of networks that of the SIM.
    public var owner: Int64
    /// The network that served where that is another.
    public var serving: Int64?
    /// The cell by which it enters statistics; nil without a place.
    public var place: Quadkey?
    /// The number that alarms of its kind are about, if they are about one.
    public var number: Int64?
    /// Stratum of the programme; of mobile networks the technology.
    public var stratum: UInt8
    /// False if its phone had no network.
    package var hasNetwork: Bool
    /// True if the position is an app's: the row never counts.
    public var isMock: Bool

    public init(
        kind: UInt8, device: UInt32, eventAt: UnixMilliseconds, owner: Int64, serving: Int64? = nil,
        place: Quadkey? = nil, number: Int64? = nil, stratum: UInt8 = 0, hasNetwork: Bool = true, isMock: Bool = false
    ) {
        self.kind = kind
        self.device = device
        deviceHash = WaitingDevices.hash(device)
        self.eventAt = eventAt
        self.owner = owner
        self.serving = serving
        self.place = place
        self.number = number
        self.stratum = stratum
        self.hasNetwork = hasNetwork
        self.isMock = isMock
    }

    /// The finest cell in which a row counts that is not shared with operators.
    package static let unsharedLevel = 13

    /// Makes it a row that its subscriber does not share with operators.
    public mutating func unshare() {
        if let place { self.place = place.parent(at: min(place.level, Self.unsharedLevel)) }
    }
}

/// What an alarm of a rule is about.
public enum RuleSubject: Sendable, Hashable {
    /// A cell; nil: all that the owner has.
    case cell(Quadkey?)
    case number(scheme: String, Int64)

    /// Its name within the scheme: digits of the quadkey, or the number.
    public var text: String {
        switch self {
        case .cell(let cell): cell?.text ?? ""
        case .number(_, let number): "\(number)"
        }
    }
}

/// Owner and subject of a window.
struct WindowKey: Sendable, Hashable, Comparable {
    let owner: Int64
    /// Of a cell its code and, in the last 5 bits, its level; else the number.
    let subject: UInt64

    init(owner: Int64, subject: UInt64) {
        self.owner = owner
        self.subject = subject
    }

    init(owner: Int64, cell: Quadkey) {
        self.init(owner: owner, subject: cell.level == 0 ? 0 : cell.code << 5 | UInt64(cell.level))
    }

    static func < (left: Self, right: Self) -> Bool { (left.owner, left.subject) < (right.owner, right.subject) }

    var cell: Quadkey { Quadkey(level: Int(subject & 31), code: subject >> 5) }

    func named(by rule: AlarmRule) -> RuleSubject {
        switch rule.subject {
        case .cells: .cell(subject == 0 ? nil : cell)
        case .numbers(let scheme): .number(scheme: scheme, Int64(bitPattern: subject))
        }
    }
}
