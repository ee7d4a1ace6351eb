internal import Alarms
internal import Models

/// A message of SIA DC-09 after its frame.
///
///     "*SIA-DCS" 0001 R1 L0 #1234 [ content        *: content is encrypted, hexadecimal digits
///
/// Pure.
struct DC09Message: Equatable {
    /// `SIA-DCS`, `ADM-CID`, `NULL`, or another that is not understood here.
    var token: String
    var isEncrypted: Bool
    /// Four digits; some panels count in hexadecimal ones.
    var sequence: String
    /// `R1`; empty if it is not there.
    var receiver: String
    /// `L0`; empty if it is not there, which the standard does not know and panels do.
    var line: String
    /// Without `#`, letters in upper case; empty if it is not there.
    var account: String
    /// What follows the first `[`.
    var content: [UInt8]

    /// - Returns: nil if it is none.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")), end - 1 <= 16
        else {
            return nil
        }
        var token = rest[..<end]
        isEncrypted = token.first == UInt8(ascii: "*")
        if isEncrypted { token = token.dropFirst() }
        guard !token.isEmpty, token.allSatisfy({ (65...90).contains($0) || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        self.token = String(decoding: token, as: UTF8.self)
        rest = rest[(end + 1)...]
        guard rest.count >= 4, rest.prefix(4).allSatisfy({ DC09Frame.digit($0) != nil }) else { return nil }
        sequence = String(decoding: rest.prefix(4), as: UTF8.self)
        rest = rest.dropFirst(4)
        guard let receiver = Self.take(UInt8(ascii: "R"), 1...6, &rest),
            let line = Self.take(UInt8(ascii: "L"), 1...6, &rest),
            let account = Self.take(UInt8(ascii: "#"), 3...16, &rest),
            rest.popFirst() == UInt8(ascii: "[")
        else { return nil }
        self.receiver = receiver
        self.line = line
        self.account = String(account.dropFirst()).uppercased()
        content = Array(rest)
    }

    /// A letter and hexadecimal digits behind it; empty if the letter is not there.
    private static func take(
        _ letter: UInt8, _ digits: ClosedRange<Int>, _ rest: inout ArraySlice<UInt8>
    ) -> String? {
        guard rest.first == letter else { return "" }
        let found = rest.dropFirst().prefix { DC09Frame.digit($0) != nil }
        guard digits.contains(found.count) else { return nil }
        defer { rest = rest[found.endIndex...] }
        return String(decoding: rest[rest.startIndex..<found.endIndex], as: UTF8.self)
    }
}

/// The content of a message, decrypted.
///
///     #1234|1130 01 001][…]_13:45:00,11-28-2026
struct DC09Content: Equatable {
    /// Empty if it names none.
    var account: String
    var data: String
    /// When it was sent, Unix milliseconds; nil if it does not say.
    var sentAt: Int64?

    /// - Returns: nil if it is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let close = text.firstIndex(of: "]") else { return nil }
        var data = text[..<close]
        account = ""
        if data.first == "#" {
            guard let bar = data.firstIndex(of: "|") else { return nil }
            let named = data[data.index(after: data.startIndex)..<bar]
            guard PanelZone.isAccount(named) else { return nil }
            account = named.uppercased()
            data = data[data.index(after: bar)...]
        } else if data.first == "|" {
            data = data.dropFirst()
        }
        self.data = String(data)
        let tail = text[text.index(after: text.lastIndex(of: "]")!)...]
        guard !tail.isEmpty else { return }
        guard let time = DC09Time.milliseconds(tail) else { return nil }
        sentAt = time
    }
}

/// `_HH:MM:SS,MM-DD-YYYY`, Greenwich time.
enum DC09Time {
    static func milliseconds(_ text: some StringProtocol) -> Int64? {
        let bytes = Array(text.utf8), places = [0: "_", 3: ":", 6: ":", 9: ",", 12: "-", 15: "-"]
        guard bytes.count == 20 else { return nil }
        for (index, byte) in bytes.enumerated() {
            guard places[index].map({ $0.utf8.first == byte }) ?? (48...57).contains(byte) else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - 48) } }
        let second = number(7..<9), year = number(16..<20)
        guard second < 61, year >= 1970 else { return nil }
        return Timestamp.milliseconds(
            year, number(10..<12), number(13..<15), number(1..<3), number(4..<6), min(second, 59)
        ).map { $0 + max(0, second - 59) * 1_000 }
    }

    static func text(_ time: Int64) -> String {
        // 2026-11-28T13:45:00.000Z
        let text = Array(Timestamp.text(time))
        return "_" + String(text[11..<19]) + "," + String(text[5..<10]) + "-" + String(text[0..<4])
    }
}
