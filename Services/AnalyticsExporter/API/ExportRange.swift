internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Models

/// What of a file a request asks for (RFC 9110, 13 and 14): one range of bytes, everything, or nothing that it does not have.
enum ExportRange: Equatable {
    /// The client has the file already.
    case unchanged
    case bytes(Range<Int64>)

    /// The file's entity tag: its SHA-256.
    static func tag(of export: StoredExport) -> String { "\"\(Hexadecimal.text(export.sha256))\"" }

    /// - Throws: ``ExporterAPIError`` 416 if the range begins behind the end. What is no single range of bytes is ignored.
    init(of headers: HTTPFields, _ export: StoredExport) throws(ExporterAPIError) {
        let tag = Self.tag(of: export)
        if EntityTag(tag).isKnown(to: headers) {
            self = .unchanged
            return
        }
        let isSame = headers[.ifRange].map { $0 == tag } ?? true
        guard isSame, let wanted = headers[.range].flatMap({ Self.bounds($0, of: export.bytes) }) else {
            self = .bytes(0..<export.bytes)
            return
        }
        guard !wanted.isEmpty else {
            throw ExporterAPIError(
                .rangeNotSatisfiable, "range_not_satisfiable", "the file has \(export.bytes) bytes",
                headers: [.contentRange: "bytes */\(export.bytes)"])
        }
        self = .bytes(wanted)
    }

    /// Nil if it is not one range of bytes; empty if nothing of the file is in it.
    private static func bounds(_ text: String, of length: Int64) -> Range<Int64>? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
        switch (Int64(parts[0]), Int64(parts[1])) {
        case (nil, nil): return nil
        case (nil, let count?): return max(0, length - count)..<length
        case (let first?, nil): return first < length ? first..<length : 0..<0
        case (let first?, let last?):
            guard first <= last else { return nil }
            return first < length ? first..<min(last, length - 1) + 1 : 0..<0
        }
    }
}
