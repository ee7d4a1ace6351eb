internal import Foundation

/// Appends JSON to bytes by hand, with members in the order in which they are written: for answers that are repeated word for
/// word, and for rows. What needs no order of its own is written by ``SortedJSON``.
public struct JSONWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    public mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A text with quotation marks, escaped where JSON wants it.
    public mutating func string(_ text: String) { Self.appendString(text.utf8, to: &bytes) }

    /// A time as two members: RFC 3339 under the name, Unix milliseconds under `<name>_ms`.
    public mutating func time(_ name: String, _ time: UnixMilliseconds) {
        // Half a millisecond more, so that what is cut off after the third digit is not the millisecond itself.
        let date = Date(timeIntervalSince1970: (Double(time) + 0.5) / 1_000)
        raw("\"\(name)\":")
        string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        raw(",\"\(name)_ms\":\(time)")
    }

    /// A text in quotation marks, escaped where JSON wants it.
    public static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendString(text.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `text` in quotation marks, escaped as RFC 8259 asks.
    ///
    /// - Parameter text: UTF-8 that is not broken.
    public static func appendString(_ text: some Sequence<UInt8>, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(UInt8(ascii: "\\"))
                out.append(byte)
            case 0x0A: out.append(contentsOf: "\\n".utf8)
            case 0x0D: out.append(contentsOf: "\\r".utf8)
            case 0x09: out.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                out.append(contentsOf: "\\u00".utf8)
                out.append(digits[Int(byte >> 4)])
                out.append(digits[Int(byte & 15)])
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
