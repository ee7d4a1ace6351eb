import Models

/// Puts the rows of all files together: moved if asked for, sorted by time, numbered per device.
enum ImportAssembly {
    /// Numbers the devices that are named after their file where another file has a device of that name: `log`, `log-2`.
    static func nameApart(_ files: inout [[ImportedRow]], _ ledger: inout ImportLedger) {
        var taken = Set(files.joined().filter(\.hasDevice).map(\.row.device))
        for file in files.indices {
            let own = Set(files[file].filter { !$0.hasDevice }.map(\.row.device))
            if !own.isDisjoint(with: taken) {
                var number = 2
                while own.contains(where: { taken.contains("\($0)-\(number)") }) { number += 1 }
                for row in files[file].indices where !files[file][row].hasDevice {
                    files[file][row].row.device += "-\(number)"
                }
                ledger.note(.sharedName, ofFile: file, own.sorted()[0])
            }
            taken.formUnion(files[file].map(\.row.device))
        }
    }

    /// - Parameter relocation: nil leaves places, operators and dates as they are.
    static func rows(_ files: [[ImportedRow]], _ relocation: Relocation?) -> [RecordingRow] {
        let day = files.joined().map(\.row.capturedAt).min().map(Relocation.dayNumber) ?? 0
        var all: [RecordingRow] = []
        for file in files { all += relocation.map { moved(file, $0, day) } ?? file.map(\.row) }
        let order = all.indices.sorted {
            (all[$0].due, all[$0].device, $0) < (all[$1].due, all[$1].device, $1)
        }
        return numbered(order.map { all[$0] })
    }

    private static func moved(_ rows: [ImportedRow], _ relocation: Relocation, _ day: Int64) -> [RecordingRow] {
        let traces = Dictionary(grouping: rows, by: \.row.device)
        return traces.keys.sorted().flatMap { device in
            let trace = traces[device] ?? []
            var moved = trace.map(\.row)
            relocation.move(&moved, hasOperator: trace.map(\.hasOperator), to: day)
            return moved
        }
    }

    /// `seq` counts from 1 per device, above what a device's rows brought along; rows with an id or a seq keep it.
    private static func numbered(_ rows: [RecordingRow]) -> [RecordingRow] {
        var next: [String: Int64] = [:]
        for row in rows { next[row.device] = max(next[row.device] ?? 1, (row.values[ColumnID.seq] ?? 0) + 1) }
        return rows.map { row in
            guard row.values[ColumnID.seq] == nil, row.texts[ColumnID.id] == nil else { return row }
            var numbered = row
            numbered.values[ColumnID.seq] = next[row.device]
            next[row.device]! += 1
            return numbered
        }
    }
}
