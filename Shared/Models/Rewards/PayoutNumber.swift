/// Where a subscriber wants rewards paid: a phone number and the operator that serves it.
///
/// Never written in clear: not to a file, not to a log. Its description is masked, so that a slip of the pen shows nothing.
public struct PayoutNumber: Codable, Sendable, Hashable {
    /// E.164: `+` and 7 to 15 digits, the first not 0.
    public let phone: String
    /// The operator's PLMN: `62401`.
    public let `operator`: String

    /// Nil if one of the two is not what it should be.
    public init?(phone: String, operator plmn: String) {
        guard Self.isE164(phone), PLMN(text: plmn) != nil else { return nil }
        self.phone = phone
        self.operator = plmn
    }

    /// `+` and 7 to 15 digits, the first not 0.
    public static func isE164(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (7...15).contains(digits.count)
            && digits.first != UInt8(ascii: "0") && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    }

    /// The number with all but its last two digits covered: `+**********01`.
    public var masked: String { "+" + String(repeating: "*", count: phone.utf8.count - 3) + phone.suffix(2) }
}

extension PayoutNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { masked }
    public var debugDescription: String { masked }
    public var customMirror: Mirror { Mirror(self, children: ["phone": masked]) }
}
