/// The bytes of a download: one file, or those of a day's hours one behind the other. Usable from any thread.
package struct ExportParts: Sendable {
    private struct Part: Sendable {
        let reader: ExportReader
        /// Where it begins in the download, and in its file.
        let start: Int64
        let skipped: Int64
        let length: Int64
    }

    private let parts: [Part]
    /// Bytes of the whole.
    package let length: Int64

    /// - Parameter hours: at least one; of all but the first the line of names is left out.
    package init(_ hours: [StoredExport], _ shelf: ExportShelf) {
        var parts: [Part] = [], length: Int64 = 0
        for (place, hour) in hours.enumerated() {
            let skipped = place == 0 ? 0 : hour.headerBytes
            let reader = ExportReader(
                path: shelf.path(of: hour), export: (hour.tenant, hour.span.binding),
                sealer: hour.keyID == 0 ? nil : shelf.sealer, length: hour.bytes)
            parts.append(Part(reader: reader, start: length, skipped: skipped, length: hour.bytes - skipped))
            length += hour.bytes - skipped
        }
        (self.parts, self.length) = (parts, length)
    }

    /// One file that is in no table.
    package init(_ reader: ExportReader) {
        parts = [Part(reader: reader, start: 0, skipped: 0, length: reader.length)]
        length = reader.length
    }

    /// Some bytes from `offset` on, which must be below ``length``; nil if their file is gone.
    package func read(from offset: Int64) throws -> [UInt8]? {
        let part = parts.last { $0.start <= offset && $0.length > 0 }!
        return try part.reader.read(from: part.skipped + offset - part.start)
    }
}
