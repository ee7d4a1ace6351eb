/// The outermost layer of SIA DC-09: where a message begins and ends, and whether it came over whole.
///
///     LF │ CRC, 4 hexadecimal digits │ '0' and 3 hexadecimal digits: length of the message │ message │ CR
///
/// The CRC is that of IBM (polynomial 0x8005, reflected, from 0) over the message. Pure.
enum DC09Frame {
    /// Bytes between LF and CR: what three digits can say, and what stands before.
    static let mostBytes = 4_095 + 8

    /// Why bytes are no message; the panel hears nothing and sends again.
    enum Fault: Error, Equatable { case tooShort, notHexadecimal, length, checksum }

    /// The message in what came between LF and CR.
    static func message(in bytes: [UInt8]) throws(Fault) -> [UInt8] {
        guard bytes.count > 8 else { throw .tooShort }
        guard let checksum = number(bytes[0..<4]), bytes[4] == UInt8(ascii: "0"), let length = number(bytes[5..<8])
        else {
            throw .notHexadecimal
        }
        let message = bytes[8...]
        guard message.count == length else { throw .length }
        guard crc(message) == checksum else { throw .checksum }
        return Array(message)
    }

    /// A message as it is sent.
    static func bytes(_ message: String) -> [UInt8] {
        let bytes = Array(message.utf8)
        return [0x0A] + Array((hex(Int(crc(bytes[...])), 4) + "0" + hex(bytes.count, 3)).utf8) + bytes + [0x0D]
    }

    static func crc(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var crc: UInt16 = 0
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
        }
        return crc
    }

    static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    static func hex(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
