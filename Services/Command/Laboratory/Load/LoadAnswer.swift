import Foundation
import NIOCore

/// Answers of HTTP/1.1 as a load needs them: status, body, and what says when to come again. RFC 9112.
///
/// Of NIO's decoder, which makes a message of parts and a list of all headers, a load of small requests saw a fifth of its time.
enum LoadAnswer {
    /// What a head says.
    private struct Head {
        var status = 0
        var retryAfter: Int?
        var nextUpload: Int?
        var etag: String?
        var isKeepAlive = true
        /// Bytes of the body; nil: it is not said.
        var length: Int?
        var isChunked = false
    }

    /// Bytes of a head, and of an answer, that nobody waits for.
    private static let longestHead = 64 << 10, longest = 64 << 20

    /// Takes the next answer out of what came, with its head and without interim answers (`1xx`).
    ///
    /// - Returns: nil while it is not complete.
    /// - Throws: ``LoadFailure/unreadable(_:)``; nothing that comes behind has a meaning then.
    static func take(from buffer: inout ByteBuffer) throws(LoadFailure) -> (response: LoadResponse, isKeepAlive: Bool)?
    {
        while let (head, size) = try head(of: buffer) {
            var rest = buffer
            rest.moveReaderIndex(forwardBy: size)
            if (100..<200).contains(head.status) {
                buffer = rest
                continue
            }
            guard let body = try body(head, from: &rest) else { return nil }
            buffer = rest
            var response = LoadResponse(status: head.status, retryAfter: head.retryAfter, body: body)
            (response.nextUpload, response.etag) = (head.nextUpload, head.etag)
            return (response, head.isKeepAlive)
        }
        return nil
    }

    private static func head(of buffer: ByteBuffer) throws(LoadFailure) -> (Head, size: Int)? {
        let read = buffer.withUnsafeReadableBytes { bytes -> Result<(Head, size: Int)?, LoadFailure> in
            let start = "HTTP/1."
            guard bytes.prefix(7).elementsEqual(start.utf8.prefix(bytes.count)) else {
                return .failure(.unreadable("it does not begin with HTTP/1."))
            }
            guard let end = end(of: bytes) else {
                return bytes.count > longestHead ? .failure(.unreadable("a head without an end")) : .success(nil)
            }
            guard let head = Self.parse(UnsafeRawBufferPointer(rebasing: bytes[..<end])) else {
                return .failure(.unreadable("a head without a status, or with a length that is none"))
            }
            return .success((head, end))
        }
        return try read.get()
    }

    /// Where the blank line behind a head ends.
    private static func end(of bytes: UnsafeRawBufferPointer) -> Int? {
        var place = 0
        while let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
            if end >= 3, bytes[end - 1] == 13, bytes[end - 2] == 10, bytes[end - 3] == 13 { return end + 1 }
            place = end + 1
        }
        return nil
    }

    /// - Parameter bytes: from `HTTP/1.` to the blank line.
    private static func parse(_ bytes: UnsafeRawBufferPointer) -> Head? {
        var head = Head()
        guard bytes.count > 12, bytes[12] == 32 || bytes[12] == 13, let status = number(bytes[9..<12]) else {
            return nil
        }
        head.status = status
        head.isKeepAlive = bytes[7] != UInt8(ascii: "0")
        var line = 0
        while let next = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) {
            let field = bytes[line..<next]
            line = next + 1
            guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = field[(colon + 1)...]
            switch colon - field.startIndex {
            case 4 where isEqual(field, "etag"): head.etag = text(value)
            case 10 where isEqual(field, "connection"):
                if contains(value, "close") { head.isKeepAlive = false }
                if contains(value, "keep-alive") { head.isKeepAlive = true }
            case 11 where isEqual(field, "retry-after"): head.retryAfter = number(value)
            case 14 where isEqual(field, "content-length"):
                guard let length = number(value), head.length == nil || head.length == length else { return nil }
                head.length = length
            case 18 where isEqual(field, "x-nkul-next-upload"): head.nextUpload = number(value)
            case 17 where isEqual(field, "transfer-encoding"): head.isChunked = contains(value, "chunked")
            default: break
            }
        }
        return head
    }

    private static func body(_ head: Head, from buffer: inout ByteBuffer) throws(LoadFailure) -> ByteBuffer? {
        if head.status == 204 || head.status == 304 { return ByteBuffer() }
        if head.isChunked { return try chunks(of: &buffer) }
        guard let length = head.length else { throw .unreadable("an answer that does not say its length") }
        guard length <= longest else { throw .unreadable("an answer of \(length) bytes") }
        return buffer.readSlice(length: length)
    }

    /// A body in chunks, the first after the last one with its trailers included. Read anew with each piece that comes: services do not
    /// answer so, proxies before them may.
    private static func chunks(of buffer: inout ByteBuffer) throws(LoadFailure) -> ByteBuffer? {
        guard buffer.readableBytes <= longest else { throw .unreadable("chunks of more than \(longest) bytes") }
        var body = ByteBuffer()
        while let line = line(of: &buffer) {
            let digits = line.prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16), size <= longest,
                [nil, " ", ";"].contains(line.dropFirst(digits.count).first)
            else { throw .unreadable("a chunk without a size") }
            guard size > 0 else {
                while let trailer = Self.line(of: &buffer) { if trailer.isEmpty { return body } }
                return nil
            }
            guard var chunk = buffer.readSlice(length: size), let end = Self.line(of: &buffer) else { return nil }
            guard end.isEmpty else { throw .unreadable("a chunk longer than its size") }
            body.writeBuffer(&chunk)
        }
        return nil
    }

    /// The next line, without its end.
    private static func line(of buffer: inout ByteBuffer) -> String? {
        guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = buffer.readString(length: end - buffer.readerIndex)
        buffer.moveReaderIndex(forwardBy: 1)
        return line.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
    }

    /// Digits between spaces and tabs; at most 15.
    private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = text.drop { $0 == 32 || $0 == 9 }.prefix { (48...57).contains($0) }
        guard (1...15).contains(digits.count),
            text[digits.endIndex...].allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 })
        else {
            return nil
        }
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    /// A value without the blanks around it.
    private static func text(_ value: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: value, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether a field begins with a name, in either case.
    private static func isEqual(_ field: Slice<UnsafeRawBufferPointer>, _ name: StaticString) -> Bool {
        strncasecmp(
            field.base.baseAddress! + field.startIndex, UnsafeRawPointer(name.utf8Start), name.utf8CodeUnitCount) == 0
    }

    private static func contains(_ value: Slice<UnsafeRawBufferPointer>, _ word: String) -> Bool {
        String(decoding: value, as: UTF8.self).lowercased().contains(word)
    }
}
