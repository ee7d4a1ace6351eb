/// What decides which tenants may see a row of a kind.
public enum RowScope: Sendable, Hashable {
    /// The network of the SIM, and the one that serves the phone where that is another.
    case networks
    /// The number in a column, of a scheme such as `site`.
    case number(scheme: String, column: UInt8)

    /// Name of the scheme in tenants, topics and queries; that of networks is `plmn`.
    public var scheme: String {
        switch self {
        case .networks: Scope.plmn
        case .number(let scheme, _): scheme
        }
    }

    /// The columns that it looks at.
    public var columns: [UInt8] {
        switch self {
        case .networks: [ColumnID.mcc, ColumnID.mnc, ColumnID.servingMCC, ColumnID.servingMNC]
        case .number(_, let column): [column]
        }
    }
}

/// Something that tenants own and rows belong to: a network, a site.
public struct Scope: Sendable, Hashable, Comparable {
    /// The scheme of networks, whose numbers are those of ``PLMN``.
    public static let plmn = "plmn"

    /// `plmn`, or the scheme of another programme.
    public let scheme: String
    /// Within the scheme; 0 where it is not known.
    public let number: Int64

    public init(scheme: String, number: Int64) {
        self.scheme = scheme
        self.number = number
    }

    /// A network.
    public init(_ network: PLMN) { self.init(scheme: Self.plmn, number: network.rawValue) }

    /// Reads ``text``; nil for anything else.
    public init?(text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...], scheme = String(text[..<colon])
        guard Self.isScheme(scheme) else { return nil }
        if scheme == Self.plmn {
            guard let network = PLMN(text: String(rest)) else { return nil }
            self.init(network)
        } else {
            guard rest.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(rest),
                Self.numbers.contains(number)
            else { return nil }
            self.init(scheme: scheme, number: number)
        }
    }

    /// Numbers of scopes that are known; keys of cells have 24 bits for them.
    public static let numbers: ClosedRange<Int64> = 1...0xff_ffff

    /// Scheme and number as one word: `plmn:62401`, `site:12`.
    public var text: String { "\(scheme):\(name)" }

    /// The number as people and topics know it: `62401`, `12`; nothing where it is not known.
    public var name: String {
        if scheme == Self.plmn { return PLMN(rawValue: number).text }
        return number == 0 ? "" : String(number)
    }

    /// Whether a word can name a scheme: 1 to 16 lower-case letters.
    package static func isScheme(_ word: String) -> Bool {
        (1...16).contains(word.utf8.count) && word.utf8.allSatisfy { (97...122).contains($0) }
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.scheme, left.number) < (right.scheme, right.number)
    }
}
