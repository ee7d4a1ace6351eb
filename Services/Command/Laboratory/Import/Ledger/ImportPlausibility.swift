import Models
import QoE

/// Leaves out what the device API would refuse, so that it is counted here and not there. Pure.
enum ImportPlausibility {
    static func check(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        checkRanges(&row, &ledger)
        checkTexts(&row, &ledger)
        checkPlaceholders(&row, &ledger)
        checkAccuracy(&row, &ledger)
        checkContents(row, &ledger)
    }

    /// Ranges of the fields, and those that another column makes narrower, as the network type does those of radio figures.
    private static func checkRanges(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        let kind = row.kind.recordKind, values = row.values
        for (column, value) in values.sorted(by: { $0.key < $1.key }) where column != ColumnID.accuracy {
            guard let field = kind.field(column) else { continue }
            let narrower = kind.plausibility.narrower.filter { $0.column == column }.compactMap { rule in
                values[rule.by].flatMap { rule.ranges.indices.contains(Int($0)) ? rule.ranges[Int($0)] : nil }
            }
            let rest = ledger.rests[column] ?? 0
            guard ([field.range] + narrower).contains(where: { !$0.contains(value, rest: rest) }) else { continue }
            ledger.note(.implausible, "\(field.name) \(field.text(value))")
            row.values[column] = nil
        }
    }

    private static func checkTexts(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        for (column, text) in row.texts.sorted(by: { $0.key < $1.key }) {
            guard let field = row.kind.recordKind.field(column), case .text(let most) = field.representation,
                text.count > most
            else { continue }
            ledger.note(.implausible, "\(field.name) of \(text.count) characters")
            row.texts[column] = nil
        }
    }

    private static func checkPlaceholders(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        for placeholder in row.kind.recordKind.plausibility.placeholders {
            let isMet = placeholder.conditions.allSatisfy { condition in
                row.values[condition.column].map(condition.values.contains) ?? false
            }
            guard isMet else { continue }
            ledger.note(.placeholderValues, placeholder.text)
            for condition in placeholder.conditions { row.values[condition.column] = nil }
        }
    }

    /// A position whose accuracy cannot be is none; one that is only coarse is kept, and comes on the map where it fits.
    private static func checkAccuracy(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        guard let accuracy = row.values[ColumnID.accuracy], let field = row.kind.recordKind.field(ColumnID.accuracy),
            !field.range.contains(accuracy)
        else { return }
        ledger.note(.implausible, "\(field.name) \(field.text(accuracy))")
        for column in [ColumnID.accuracy, ColumnID.latitude, ColumnID.longitude, ColumnID.locationSource] {
            row.values[column] = nil
        }
    }

    /// A row that says only when it was captured, and perhaps that its network is not known, or that lacks what every record
    /// of its kind has.
    private static func checkContents(_ row: RecordingRow, _ ledger: inout ImportLedger) {
        let kind = row.kind.recordKind
        if let missing = kind.required.first(where: { row.values[$0] == nil && row.texts[$0] == nil }) {
            return ledger.note(.fieldMissing, kind.field(missing)?.name ?? "")
        }
        let identity: Set = [ColumnID.id, ColumnID.seq, ColumnID.capturedAt]
        let says = row.values.contains { column, value in
            !identity.contains(column)
                && (column != ColumnID.networkType || value != NetworkType.unknown.rawValue)
        }
        guard !says, row.texts.keys.allSatisfy(identity.contains) else { return }
        ledger.note(.nothingMeasured)
    }
}
