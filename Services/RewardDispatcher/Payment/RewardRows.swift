internal import Foundation
internal import Models
internal import Wire

/// Rows of the `rewards` lane: key, device, document.
struct RewardRows {
    private var keys: [[UInt8]] = []
    private var devices: [Int64] = []
    private var documents: [[UInt8]] = []
    private let encoder: JSONEncoder

    init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func append(_ key: String, _ device: UInt64, _ document: some Encodable) throws {
        keys.append(Array(key.utf8))
        devices.append(Int64(bitPattern: device))
        documents.append(Array(try encoder.encode(document)))
    }

    var columns: Columns {
        Columns(
            rowCount: keys.count,
            columns: [
                Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.device, values: devices),
                Column(id: ColumnID.document, strings: documents),
            ])
    }
}
