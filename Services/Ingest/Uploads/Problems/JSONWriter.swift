internal import Foundation
package import Models

/// Appends JSON to bytes; for receipts and problems, whose order of members is part of "word for word".
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    package mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A text with quotes, escaped where JSON wants it.
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<32:
                raw("\\u00")
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A time as two members: RFC 3339 under the name, Unix milliseconds under `<name>_ms`.
    package mutating func time(_ name: String, _ time: UnixMilliseconds) {
        // Half a millisecond more, so that what is cut off after the third digit is not the millisecond itself.
        let date = Date(timeIntervalSince1970: (Double(time) + 0.5) / 1_000)
        raw("\"\(name)\":")
        string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        raw(",\"\(name)_ms\":\(time)")
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
