/// Decimal text to integers of a scale and back, without floating point.
enum DecimalText {
    /// The value times `scale` (a power of ten), rounded half away from zero; nil for anything but an optional sign, digits and
    /// at most one point, and for what does not fit.
    static func stored(_ text: String, scale: Int64) -> Int64? {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts[0], fraction = parts.count == 2 ? parts[1] : rest.suffix(0)
        guard whole.count + fraction.count > 0, isDigits(whole), isDigits(fraction) else { return nil }
        var value: Int64 = 0, remaining = scale
        for digit in whole { guard push(digit, &value) else { return nil } }
        var digits = fraction
        while remaining > 1 {
            guard push(digits.popFirst() ?? 48, &value) else { return nil }
            remaining /= 10
        }
        if let next = digits.first, next >= 53 { value += 1 }
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
