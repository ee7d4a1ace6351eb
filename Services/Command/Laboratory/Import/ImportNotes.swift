import Foundation
import Models
import ServiceKit

/// The first line of a recording that was imported: what is real in it, and what was added. It says what the rows have.
struct ImportNotes {
    private static let groups: [(name: String, columns: [UInt8])] = [
        ("place", [ColumnID.latitude]),
        ("operator", [ColumnID.mcc]),
        ("network", [ColumnID.networkType, ColumnID.cellID]),
        ("radio", [ColumnID.rsrp, ColumnID.rsrq, ColumnID.sinr, ColumnID.rssi, ColumnID.cqi]),
        ("throughput", [ColumnID.download, ColumnID.upload]),
        ("ping", [ColumnID.latency, ColumnID.jitter, ColumnID.loss]),
        ("events", [ColumnID.event]),
        ("rating", [ColumnID.rating]),
    ]

    let files: [(count: ImportLedger.FileCount, rows: [ImportedRow])]
    let isRelocated: Bool
    let isTimeSupplied: Bool

    /// What is as it was measured, in the order of the groups.
    var real: [String] {
        let columns = files.filter { $0.count.notes == nil }.flatMap(\.rows)
            .reduce(into: Set<UInt8>()) { $0.formUnion($1.row.values.keys) }
        guard !columns.isEmpty else { return said("real") }
        let found = Self.groups.filter { !columns.isDisjoint(with: $0.columns) }.map(\.name)
        let time = isTimeSupplied ? [] : [isRelocated ? "time of day" : "time"]
        let kept = found.compactMap { name in
            switch name {
            case "place" where isRelocated: "shape of each way"
            case "operator" where isRelocated: nil
            default: name
            }
        }
        return time + kept + said("real")
    }

    /// What the files do not have, or had otherwise.
    var added: [String] {
        let rows = files.flatMap(\.rows)
        var added: [String] = []
        if rows.contains(where: { !$0.hasDevice }) { added.append("device") }
        if rows.contains(where: { $0.row.values[ColumnID.seq] == nil && $0.row.texts[ColumnID.id] == nil }) {
            added.append("seq")
        }
        if isTimeSupplied { added.append("time") }
        if isRelocated { added += (rows.contains(where: \.hasOperator) ? ["operator"] : []) + ["place", "date"] }
        return added + said("added").filter { !added.contains($0) }
    }

    /// What recordings among the files say of themselves, as far as this import did not change it.
    func said(_ key: String) -> [String] {
        var seen: Set<String> = []
        return files.compactMap { $0.count.notes?[key] }.filter { seen.insert($0).inserted }
    }
}
