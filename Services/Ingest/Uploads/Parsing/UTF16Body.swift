/// Bodies in UTF-16, as spreadsheets save "Unicode text": they are read as if they had come in UTF-8.
enum UTF16Body {
    /// How the characters of a body are encoded.
    enum Encoding: String {
        case utf8 = "UTF-8"
        case littleEndian = "UTF-16 (little-endian)"
        case bigEndian = "UTF-16 (big-endian)"
    }

    /// The encoding of a text, by its byte order mark, or by its first character if that is one of ASCII.
    static func encoding(_ first: UInt8, _ second: UInt8) -> Encoding {
        switch (first, second) {
        case (0xFF, 0xFE): .littleEndian
        case (0xFE, 0xFF): .bigEndian
        case (1..., 0): .littleEndian
        case (0, 1...): .bigEndian
        default: .utf8
        }
    }

    /// Turns the body of a scratch into UTF-8, if it is not in that.
    ///
    /// - Returns: what it was encoded in.
    /// - Parameter limit: bytes that the text may have in UTF-8.
    /// - Throws: ``DeviceAPIError`` 422 for half a character, 413 for a longer text.
    static func transcode(_ scratch: RowScratch, limit: Int) throws(DeviceAPIError) -> Encoding {
        guard scratch.bodyLength >= 2 else { return .utf8 }
        let encoding = encoding(scratch.body[0], scratch.body[1])
        guard encoding != .utf8 else { return encoding }
        let bytes = scratch.body[..<scratch.bodyLength], high = encoding == .bigEndian ? 0 : 1
        let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { place in
            UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + 1 - high])
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 4 * 3)
        let isBroken = Swift.transcode(
            units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
        ) { text.append($0) }
        guard !isBroken, bytes.count.isMultiple(of: 2) else {
            throw DeviceAPIError(
                .nothingReadable, "the body looks like \(encoding.rawValue), and half a character is in it")
        }
        guard text.count <= limit else { throw DeviceAPIError(.inflatedTooLarge) }
        scratch.replace(text)
        return encoding
    }
}
