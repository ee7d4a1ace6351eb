internal import Models
internal import Wire

/// Rows of a state lane that are gathered one by one: key, document, and the networks an alarm concerns besides.
struct KeyedRows {
    private var keys: [[UInt8]?] = []
    private var documents: [[UInt8]?] = []
    private var networks: [[UInt8]?] = []

    var isEmpty: Bool { keys.isEmpty }

    mutating func append(key: [UInt8], document: [UInt8]?, networks: Set<PLMN> = []) {
        keys.append(key)
        documents.append(document)
        let texts = networks.map(\.text).sorted().joined(separator: " ")
        self.networks.append(texts.isEmpty ? nil : Array(texts.utf8))
    }

    var columns: Columns {
        var columns = [Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.document, strings: documents)]
        if networks.contains(where: { $0 != nil }) { columns.append(Column(id: ColumnID.networks, strings: networks)) }
        return Columns(rowCount: keys.count, columns: columns)
    }
}
