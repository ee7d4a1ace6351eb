internal import Foundation
internal import Models
public import Wire

extension Columns {
    /// Rows of a key and a JSON document.
    public static func documents(_ rows: [(key: String, document: some Encodable)]) throws -> Columns {
        Columns(
            rowCount: rows.count,
            columns: [
                Column(id: ColumnID.key, strings: rows.map { Array($0.key.utf8) }),
                Column(id: ColumnID.document, strings: try rows.map { try SortedJSON.bytes(of: $0.document) }),
            ])
    }

    /// The documents of the rows that have one, of a kind that comes singly.
    ///
    /// - Throws: `DecodingError` if the writer and this program do not fit together.
    public func documents<Document: Decodable>(_ type: Document.Type) throws -> [(row: Int, document: Document)] {
        guard let column = self[ColumnID.document] else { return [] }
        let decoder = JSONDecoder()
        return try (0..<rowCount).compactMap { row in
            try column.value(row).map { (row, try decoder.decode(type, from: Data($0))) }
        }
    }
}

extension Columns {
    /// Rows of a state lane that say that a key is gone, and whose it was, so that an erasure finds it.
    public static func tombstones(_ rows: [(key: String, device: UInt64?)]) -> Columns {
        var columns = [Column(id: ColumnID.key, strings: rows.map { Array($0.key.utf8) })]
        if rows.contains(where: { $0.device != nil }) {
            columns.append(Column(id: ColumnID.device, values: rows.map { $0.device.map(Int64.init(bitPattern:)) }))
        }
        return Columns(rowCount: rows.count, columns: columns)
    }
}
