internal import Models

/// Text of people inside a JSON string.
enum JSONText {
    /// RFC 8259 §7: quotation marks, backslashes and control characters.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// How many devices count in a rule's alarm, as everybody but a regulator is told.
enum DeviceBand {
    private static let begins: [Int64] = [1, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

    /// The lower end: 1 for fewer than 5, 5 for fewer than 10.
    static func begin(of devices: Int64) -> Int64 { begins.last { $0 <= devices } ?? devices }
}
