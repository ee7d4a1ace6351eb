import Models

/// Gives every row of a trace a time of its own.
///
/// The log counts whole seconds; a second row of the same second gets the next free millisecond. A clock that goes back is
/// noted and not corrected: nobody knows which of the two times was right.
enum TraceClock {
    static func makeDistinct(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {
        var used: Set<UnixMilliseconds> = []
        var last = UnixMilliseconds.min
        for index in rows.indices {
            let time = rows[index].row.capturedAt
            if time < last { mend(.clockWentBack, &rows[index], &ledger) }
            last = time
            guard !used.insert(time).inserted else { continue }
            var free = time + 1
            while !used.insert(free).inserted { free += 1 }
            rows[index].row.capturedAt = free
            mend(.sameSecond, &rows[index], &ledger)
        }
    }

    private static func mend(_ rule: ImportRule, _ row: inout ImportedRow, _ ledger: inout ImportLedger) {
        ledger.noteLater(rule, line: row.line, wasMended: row.isMended)
        row.isMended = true
    }
}
