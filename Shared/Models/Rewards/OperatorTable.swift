/// The operators whose subscribers may be rewarded, and the phone numbers that they can have.
public struct OperatorTable: Sendable, Hashable {
    /// One operator.
    public struct Entry: Sendable, Hashable {
        public let plmn: PLMN
        public let name: String
        /// Its numbers in E.164, with a point for any digit: `+2376........`.
        public let numbers: [String]
    }

    public let entries: [Entry]

    /// The operators of Cameroon, as text. All mobile numbers there have nine digits and begin with 6; which of them are whose is left
    /// open, as blocks are given out over the years.
    public static let cameroon =
        "62401 MTN +2376........, 62402 Orange +2376........, 62403 Camtel +2376........, 62404 Nexttel +2376........"

    /// Reads `PLMN name number…, PLMN name number…`; nil if that is not what the text is.
    public init?(text: String) {
        var entries: [Entry] = []
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ").map(String.init)
            guard words.count >= 3, let plmn = PLMN(text: words[0]), words[2...].allSatisfy(Self.isPattern),
                !entries.contains(where: { $0.plmn == plmn })
            else { return nil }
            entries.append(Entry(plmn: plmn, name: words[1], numbers: Array(words[2...])))
        }
        guard !entries.isEmpty else { return nil }
        self.entries = entries
    }

    /// True if an operator of the table can have a number in E.164. Not which one: subscribers take numbers with them.
    public func canHave(_ phone: String) -> Bool {
        entries.contains { $0.numbers.contains { Self.matches($0, phone) } }
    }

    /// All patterns of numbers, each once.
    public var patterns: [String] {
        entries.flatMap(\.numbers).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func isPattern(_ text: String) -> Bool {
        PayoutNumber.isE164(text.replacing(".", with: "1"))
    }

    private static func matches(_ pattern: String, _ phone: String) -> Bool {
        pattern.utf8.count == phone.utf8.count
            && zip(pattern.utf8, phone.utf8).allSatisfy { $0 == UInt8(ascii: ".") || $0 == $1 }
    }
}
