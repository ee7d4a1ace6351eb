/// A public land mobile network: mobile country code and mobile network code.
public struct PLMN: Sendable, Hashable, Comparable {
    /// `mcc × 1000 + mnc`; 0 where the network is unknown.
    public let rawValue: Int64

    /// An unknown network: seen by the regulator only, never guessed.
    public static let unknown = PLMN(rawValue: 0)

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The network of the two codes, or ``unknown`` if one of them is missing.
    public init(mcc: Int64?, mnc: Int64?) {
        guard let mcc, let mnc else {
            rawValue = 0
            return
        }
        rawValue = mcc * 1000 + mnc
    }

    /// Reads the text of a PLMN: five or six digits.
    public init?(text: String) {
        guard (5...6).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int64(text)
        else { return nil }
        rawValue = text.utf8.count == 5 ? number / 100 * 1000 + number % 100 : number
    }

    public var mcc: Int64 { rawValue / 1000 }
    public var mnc: Int64 { rawValue % 1000 }

    /// MCC and MNC as five digits, or six if the network code needs three; empty for ``unknown``.
    public var text: String {
        guard self != .unknown else { return "" }
        let country = String(mcc), network = String(mnc)
        return String(repeating: "0", count: 3 - country.count) + country
            + String(repeating: "0", count: max(0, 2 - network.count)) + network
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
