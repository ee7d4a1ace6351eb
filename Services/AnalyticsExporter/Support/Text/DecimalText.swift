/// Numbers as text, printed exactly from the integers that are stored: no floating point on the way.
package enum DecimalText {
    /// Appends `value / scale` in decimal without trailing zeros: −843 with scale 10 is `-84.3`, 50 is `5`.
    ///
    /// - Parameter scale: a power of ten, from 1.
    package static func append(_ value: Int64, scale: Int64, to out: inout [UInt8]) {
        if value < 0 { out.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude, unit = UInt64(scale)
        appendDigits(magnitude / unit, to: &out)
        var rest = magnitude % unit
        guard rest != 0 else { return }
        out.append(UInt8(ascii: "."))
        var place = unit / 10
        while rest != 0 {
            out.append(UInt8(ascii: "0") + UInt8(rest / place))
            rest %= place
            place /= 10
        }
    }

    /// Appends a whole number in decimal.
    package static func append(_ value: Int64, to out: inout [UInt8]) {
        append(value, scale: 1, to: &out)
    }

    private static func appendDigits(_ value: UInt64, to out: inout [UInt8]) {
        guard value >= 10 else { return out.append(UInt8(ascii: "0") + UInt8(value)) }
        let start = out.count
        var rest = value
        while rest != 0 {
            out.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        out[start...].reverse()
    }
}
