/// Decimal text to integers of a scale and back, without floating point.
enum DecimalText {
    /// The value times `scale` (a power of ten), rounded half away from zero; nil for what is no number as the device API reads it: an
    /// optional sign, digits with at most one point, an optional exponent. Nil, too, for what does not fit.
    ///
    /// - Parameter isWhole: a fraction is no value.
    static func stored(_ text: String, scale: Int64, isWhole: Bool = false) -> Int64? {
        read(text, scale: scale, isWhole: isWhole)?.value
    }

    /// The same, with the sign of what rounding took away: ranges are those of the value as it is written.
    static func read(_ text: String, scale: Int64, isWhole: Bool = false) -> (value: Int64, rest: Int)? {
        var rest = text.utf8[...], shift = 0
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        if let mark = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let exponent = exponent(rest[rest.index(after: mark)...]) else { return nil }
            (rest, shift) = (rest[..<mark], exponent)
        }
        let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts[0], fraction = parts.count == 2 ? parts[1] : rest.suffix(0)
        guard whole.count + fraction.count > 0, isDigits(whole), isDigits(fraction) else { return nil }
        let digits = Array(whole) + Array(fraction), zero = UInt8(ascii: "0")
        guard digits.contains(where: { $0 != zero }) else { return (0, 0) }
        let places = whole.count + shift + (String(scale).utf8.count - 1)
        var value: Int64 = 0
        for place in 0..<max(0, places) {
            guard push(place < digits.count ? digits[place] : zero, &value) else { return nil }
        }
        let behind = digits.dropFirst(max(0, places))
        let isRound = places >= 0 && behind.allSatisfy { $0 == zero }
        if isWhole, !isRound { return nil }
        let isUp = places >= 0 && behind.first.map { $0 >= UInt8(ascii: "5") } ?? false
        if isUp { value += 1 }
        let lost = isRound ? 0 : isUp ? -1 : 1
        return isNegative ? (value: -value, rest: -lost) : (value: value, rest: lost)
    }

    /// An exponent; beyond ±1 000 it does not matter how far.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        guard !digits.isEmpty, isDigits(digits) else { return nil }
        let value = digits.reduce(0) { min(1_000, $0 * 10 + Int($1 - 48)) }
        return isNegative ? -value : value
    }

    /// The shortest text that ``stored(_:scale:)`` reads as the value.
    static func text(_ stored: Int64, scale: Int64) -> String {
        guard scale > 1 else { return "\(stored)" }
        let magnitude = stored.magnitude, unit = scale.magnitude
        var digits = "\(magnitude % unit + unit)".dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        let sign = stored < 0 ? "-" : ""
        return digits.isEmpty ? "\(sign)\(magnitude / unit)" : "\(sign)\(magnitude / unit).\(digits)"
    }

    private static func isDigits(_ text: Substring.UTF8View) -> Bool { text.allSatisfy { (48...57).contains($0) } }

    private static func push(_ digit: UInt8, _ value: inout Int64) -> Bool {
        let (product, over) = value.multipliedReportingOverflow(by: 10)
        let (sum, overSum) = product.addingReportingOverflow(Int64(digit - 48))
        value = sum
        return !over && !overSum && sum < Int64.max
    }
}
