internal import CSimdjson
internal import Models

/// Looks at the rows of a scratch column by column and rejects those that are not plausible, each with the
/// first field at fault.
struct RowChecker {
    let scratch: RowScratch
    let table: RowTable
    let rows: Int
    private(set) var rejections: [RowRejection] = []

    init(_ scratch: RowScratch, _ table: RowTable, rows: Int) {
        self.scratch = scratch
        self.table = table
        self.rows = rows
    }

    /// Reports what the parser found, then checks identity, ranges, radio ranges, places and texts.
    mutating func run(faults: Int) {
        for index in 0..<faults { reject(scratch.faults[index]) }
        mergeSpellings()
        requireFields()
        for target in table.targets { check(target) }
        checkNarrower()
        checkPlaces()
        checkPlaceholders()
        checkTexts()
    }

    private mutating func reject(_ fault: nkul_fault) {
        let field = fault.field == UInt16(NKUL_NO_FIELD) ? nil : table.name(Int(fault.field))
        let value = scratch.excerpt(offset: Int(fault.offset), length: Int(fault.length))
        let code = RowCode(parser: fault.code)
        if code == .outOfRange, let number = Int64(value), RowDetail.isSentinel(number, scale: 1) {
            return reject(Int(fault.row), .sentinel, field, RowDetail.sentinel(value))
        }
        reject(Int(fault.row), code, field, RowDetail.text(code, value: value, offset: Int(fault.offset), field: field))
    }

    private mutating func reject(_ row: Int, _ code: RowCode, _ field: String?, _ detail: @autoclosure () -> String) {
        guard !scratch.isBad(row) else { return }
        scratch.reject(row)
        rejections.append(RowRejection(row: row, code: code, field: field, detail: detail()))
    }

    /// `captured_at_ms` stands above `captured_at`, a column's own name above its other ones.
    private func mergeSpellings() {
        if let captured = table.slot(ColumnID.capturedAt) {
            take(table.capturedMilliseconds, into: captured, instead: true)
        }
        for spelling in table.spellings { take(spelling.slot, into: spelling.target, instead: false) }
    }

    private func take(_ source: Int, into target: Int, instead: Bool) {
        for word in 0..<words {
            var bits = scratch.presence[source][word]
            if !instead { bits &= ~scratch.presence[target][word] }
            scratch.presence[target][word] |= bits
            while bits != 0 {
                let row = word * 64 + bits.trailingZeroBitCount
                scratch.integers[target][row] = scratch.integers[source][row]
                bits &= bits - 1
            }
        }
    }

    private mutating func requireFields() {
        guard let id = table.slot(ColumnID.id), let seq = table.slot(ColumnID.seq),
            let captured = table.slot(ColumnID.capturedAt)
        else { return }
        for word in 0..<words {
            let mask = good(word)
            let nameless = mask & ~(scratch.presence[id][word] | scratch.presence[seq][word])
            let timeless = mask & ~scratch.presence[captured][word]
            each(nameless, word) { $0.reject($1, .missingField, "id", "neither id nor seq is given") }
            each(timeless, word) {
                $0.reject($1, .missingField, "captured_at", "captured_at or captured_at_ms is required")
            }
            for slot in table.required {
                let missing = mask & ~scratch.presence[slot][word]
                each(missing, word) { checker, row in
                    let table = checker.table
                    checker.reject(row, .missingField, table.name(slot), "\(table.names(slot)) is required")
                }
            }
        }
    }

    /// Checks a column against its field's range.
    private mutating func check(_ target: RowTable.Target) {
        guard let range = target.range else { return }
        let values = scratch.integers[target.slot], presence = scratch.presence[target.slot]
        let low = range.lowerBound, high = range.upperBound
        for word in 0..<words {
            let present = presence[word]
            guard present != 0 else { continue }
            let base = word * 64
            var wrong: UInt64 = 0
            if present == RowScratch.mask(word, rows: rows) {
                var outside = false
                for row in base..<min(base + 64, rows) { outside = outside || values[row] < low || values[row] > high }
                guard outside else { continue }
            }
            var bits = present & good(word)
            while bits != 0 {
                let bit = bits & (0 &- bits)
                let value = values[base + bit.trailingZeroBitCount]
                if value < low || value > high { wrong |= bit }
                bits ^= bit
            }
            each(wrong, word) { $0.rejectRange($1, target.column, values[$1], range) }
        }
    }

    private mutating func rejectRange(_ row: Int, _ column: UInt8, _ value: Int64, _ range: ClosedRange<Int64>) {
        let field = table.kind.field(column)!
        if RowDetail.isSentinel(value, scale: field.scale) {
            reject(row, .sentinel, field.name, RowDetail.sentinel(RowDetail.number(value, scale: field.scale)))
        } else {
            reject(row, .outOfRange, field.name, RowDetail.range(value, field, range))
        }
    }

    /// Ranges that another column makes narrower, as the network type does those of radio figures.
    private mutating func checkNarrower() {
        for (slot, type, column, ranges) in table.narrower {
            for word in 0..<words {
                var bits = scratch.presence[slot][word] & scratch.presence[type][word] & good(word)
                while bits != 0 {
                    let row = word * 64 + bits.trailingZeroBitCount
                    bits &= bits - 1
                    let range = ranges[Int(scratch.integers[type][row])]
                    let value = scratch.integers[slot][row]
                    if value < range.lowerBound || value > range.upperBound { rejectRange(row, column, value, range) }
                }
            }
        }
    }

    private mutating func checkPlaces() {
        guard let latitude = table.slot(ColumnID.latitude), let longitude = table.slot(ColumnID.longitude) else {
            return
        }
        for word in 0..<words {
            var bits = scratch.presence[latitude][word] & scratch.presence[longitude][word] & good(word)
            while bits != 0 {
                let row = word * 64 + bits.trailingZeroBitCount
                bits &= bits - 1
                if scratch.integers[latitude][row] == 0, scratch.integers[longitude][row] == 0 {
                    reject(row, .outOfRange, "latitude", "latitude and longitude are both exactly 0: no position")
                }
            }
        }
    }

    /// Values that phones write for "no value" within plausible ranges (``Plausibility/placeholders``).
    private mutating func checkPlaceholders() {
        for placeholder in table.kind.plausibility.placeholders {
            let conditions = placeholder.conditions.map { (slot: table.slot($0.column)!, values: $0.values) }
            for word in 0..<words {
                let present = conditions.reduce(good(word)) { $0 & scratch.presence[$1.slot][word] }
                each(present, word) { checker, row in
                    let scratch = checker.scratch
                    guard conditions.allSatisfy({ $0.values.contains(scratch.integers[$0.slot][row]) }) else { return }
                    let name = checker.table.name(conditions[0].slot)
                    checker.reject(row, .sentinel, name, RowDetail.sentinel(placeholder.text))
                }
            }
        }
    }

    private mutating func checkTexts() {
        for target in table.targets {
            guard let limit = target.mostCharacters else { continue }
            for word in 0..<words {
                each(scratch.presence[target.slot][word] & good(word), word) { checker, row in
                    let size = Int(checker.scratch.integers[target.slot][row] & 0xFFFF_FFFF)
                    guard size > limit, checker.isTooLong(target.slot, row, size, limit) else { return }
                    checker.reject(row, .tooLong, checker.table.name(target.slot), "more than \(limit) characters")
                }
            }
        }
    }

    /// A person's character may have many bytes; 40 on average are enough for any script and for family emoji.
    private func isTooLong(_ slot: Int, _ row: Int, _ size: Int, _ limit: Int) -> Bool {
        if size > limit * 40 { return true }
        let start = Int(scratch.integers[slot][row] >> 32)
        return String(decoding: UnsafeBufferPointer(start: scratch.text + start, count: size), as: UTF8.self).count
            > limit
    }

    private var words: Int { (rows + 63) / 64 }

    private func good(_ word: Int) -> UInt64 { RowScratch.mask(word, rows: rows) & ~scratch.bad[word] }

    private mutating func each(_ rows: UInt64, _ word: Int, _ body: (inout RowChecker, Int) -> Void) {
        var bits = rows
        while bits != 0 {
            body(&self, word * 64 + bits.trailingZeroBitCount)
            bits &= bits - 1
        }
    }
}
