internal import Models

/// The answer to an upload: what counts, word for word the same for every repetition.
public struct Receipt: Sendable, Equatable {
    public let batchID: BatchID
    public let accepted: Int
    /// Records that were known before, with the same content.
    public let duplicates: Int
    /// Records whose counter or id was known with other content. In a receipt that was given back, 0: its text has the figure.
    public let conflicts: Int
    public let rejected: Int
    /// What was not plainly accepted, or everything if it was asked for. Empty in a receipt that was given back.
    public let items: [ReceiptItem]
    /// True if its text says more than figures.
    package let hasText: Bool
    /// The JSON document.
    public let body: [UInt8]
    /// True if it was given before and is given back.
    public let isRepeated: Bool
    /// How far the device is trusted from now on; nil if this upload changed nothing of it.
    public package(set) var trust: DeviceTrust?

    package init(
        batchID: BatchID, accepted: Int, duplicates: Int, conflicts: Int = 0, rejected: Int, items: [ReceiptItem],
        unknownColumns: UnknownColumns? = nil
    ) {
        self.batchID = batchID
        self.accepted = accepted
        self.duplicates = duplicates
        self.conflicts = conflicts
        self.rejected = rejected
        self.items = items
        hasText = !items.isEmpty || unknownColumns != nil
        body = Self.text(batchID, accepted, duplicates, conflicts, rejected, items, unknownColumns)
        isRepeated = false
    }

    /// A receipt that was given before; `body` is its text if that says more than figures.
    package init(_ note: ReceiptNote, body: [UInt8]?) {
        batchID = note.batch
        accepted = Int(note.accepted)
        duplicates = Int(note.duplicates)
        conflicts = 0
        rejected = Int(note.rejected)
        items = []
        hasText = body != nil
        self.body = body ?? Self.text(batchID, accepted, duplicates, 0, rejected, [], nil)
        isRepeated = true
    }

    private static func text(
        _ batch: BatchID, _ accepted: Int, _ duplicates: Int, _ conflicts: Int, _ rejected: Int, _ items: [ReceiptItem],
        _ unknown: UnknownColumns?
    ) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"batch_id\":\"")
        json.raw(batch.text)
        json.raw("\",\"accepted\":\(accepted),\"duplicates\":\(duplicates),\"conflicts\":\(conflicts)")
        json.raw(",\"rejected\":\(rejected),\"items\":[")
        for (place, item) in items.enumerated() { write(item, first: place == 0, &json) }
        json.raw("]")
        if let unknown {
            json.raw(",\"unknown_columns\":{\"count\":\(unknown.count),\"names\":[")
            for (place, name) in unknown.names.enumerated() {
                if place > 0 { json.raw(",") }
                json.string(name)
            }
            json.raw("]}")
        }
        json.raw("}")
        return json.bytes
    }

    private static func write(_ item: ReceiptItem, first: Bool, _ json: inout JSONWriter) {
        json.raw(first ? "{\"index\":" : ",{\"index\":")
        json.raw(String(item.index))
        json.raw(",\"id\":")
        if let id = item.id { json.string(id.text) } else { json.raw("null" as StaticString) }
        json.raw(",\"status\":")
        json.string(item.status.rawValue)
        for (name, value) in [("code", item.code), ("field", item.field), ("detail", item.detail)] {
            guard let value else { continue }
            json.raw(",\"")
            json.raw(name)
            json.raw("\":")
            json.string(value)
        }
        if !item.leftOut.isEmpty {
            json.raw(",\"left_out\":[")
            for (place, value) in item.leftOut.enumerated() { write(value, first: place == 0, &json) }
            json.raw("]")
        }
        json.raw("}")
    }

    private static func write(_ value: LeftOutValue, first: Bool, _ json: inout JSONWriter) {
        json.raw(first ? "{\"field\":" : ",{\"field\":")
        json.string(value.field)
        json.raw(",\"code\":")
        json.string(value.code.rawValue)
        if let detail = value.detail {
            json.raw(",\"detail\":")
            json.string(detail)
        }
        json.raw("}")
    }
}

/// Columns of a CSV whose names are no field's: nothing of them is read.
package struct UnknownColumns: Sendable, Equatable {
    package let count: Int
    /// The first of them, at most 40 bytes of each, without blanks around them and in lower case.
    package let names: [String]
}
