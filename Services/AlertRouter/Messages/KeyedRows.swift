internal import Models
internal import Wire

/// Rows of a state lane that are gathered one by one: key, document, the networks an alarm concerns besides, and its owner where that is
/// no network.
struct KeyedRows {
    private var keys: [[UInt8]?] = []
    private var documents: [[UInt8]?] = []
    private var networks: [[UInt8]?] = []
    private var scopes: [[UInt8]?] = []

    var isEmpty: Bool { keys.isEmpty }

    mutating func append(key: [UInt8], document: [UInt8]?, networks: Set<PLMN> = [], owner: Scope? = nil) {
        keys.append(key)
        documents.append(document)
        let texts = networks.map(\.text).sorted().joined(separator: " ")
        self.networks.append(texts.isEmpty ? nil : Array(texts.utf8))
        scopes.append(owner.flatMap { $0.scheme == Scope.plmn ? nil : Array($0.text.utf8) })
    }

    var columns: Columns {
        var columns = [Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.document, strings: documents)]
        for (id, texts) in [(ColumnID.networks, networks), (ColumnID.scope, scopes)] {
            if texts.contains(where: { $0 != nil }) { columns.append(Column(id: id, strings: texts)) }
        }
        return Columns(rowCount: keys.count, columns: columns)
    }
}

/// Rows of kind contribution that are gathered alarm by alarm.
struct ContributionRows {
    private var keys: [[UInt8]?] = []
    private var devices: [Int64?] = []
    private var documents: [[UInt8]?] = []

    var isEmpty: Bool { keys.isEmpty }

    /// Every value is made of characters that JSON takes as they are.
    mutating func append(_ contributions: [ContributionDocument]) {
        for one in contributions {
            keys.append(Array(one.key.utf8))
            devices.append(Int64(bitPattern: one.device))
            let text =
                "{\"alarm\":\"\(one.alarm)\",\"device\":\(one.device),\"records\":\(one.records),\"first_at_ms\":\(one.firstAt)}"
            documents.append(Array(text.utf8))
        }
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
