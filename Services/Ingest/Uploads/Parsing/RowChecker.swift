internal import CSimdjson
internal import Models

/// Looks at the rows of a scratch column by column. An implausible or unreadable value is left out, and the row stays. A row is
/// rejected if who says it or when is wrong, or if nothing is left that it says.
struct RowChecker {
    let scratch: RowScratch
    let table: RowTable
    let rows: Int
    private(set) var rejections: [RowRejection] = []
    /// Values that were left out of rows that stay, by row.
    private(set) var leftOut: [Int: [LeftOutValue]] = [:]
    /// How many those are.
    private var leftCount = 0

    init(_ scratch: RowScratch, _ table: RowTable, rows: Int) {
        self.scratch = scratch
        self.table = table
        self.rows = rows
    }

    /// Reports what the parser found, then checks ranges, radio ranges, places and texts, and at last whether what is left says
    /// who, when and something.
    ///
    /// - Parameters: rows that the parser could not read, and values that it left out.
    mutating func run(faults: Int, left: Int) {
        for index in 0..<faults { reject(scratch.faults[index]) }
        if left > 0 { takeLeft() }
        mergeSpellings()
        for target in table.targets { check(target) }
        checkNarrower()
        checkPlaces()
        checkPlaceholders()
        checkTexts()
        if !leftOut.isEmpty { leavePlaces() }
        requireFields()
        if !leftOut.isEmpty { rejectEmptied() }
    }

    private mutating func reject(_ fault: nkul_fault) {
        let field = fault.field == UInt16(NKUL_NO_FIELD) ? nil : table.name(Int(fault.field))
        let value = scratch.excerpt(offset: Int(fault.offset), length: Int(fault.length))
        let code = RowCode(parser: fault.code)
        reject(Int(fault.row), code, field, RowDetail.text(code, value: value, offset: Int(fault.offset), field: field))
    }

    /// Takes over what the parser left out.
    private mutating func takeLeft() {
        for slot in 0..<table.slotCount {
            for word in 0..<words {
                each(scratch.left[slot][word] & good(word), word) { checker, row in
                    let why = UInt64(bitPattern: checker.scratch.integers[slot][row])
                    let offset = Int(why & 0xFFFF_FFFF), length = Int(why >> UInt64(NKUL_LEFT_LENGTH) & 0xFFFF)
                    let value = checker.scratch.excerpt(offset: offset, length: length)
                    let code = RowCode(parser: UInt16(truncatingIfNeeded: why >> UInt64(NKUL_LEFT_CODE)))
                    // In quotes or bare, it is the same placeholder.
                    let digits = value.drop { $0 == "\"" || $0 == " " }.prefix { $0 != "\"" && $0 != " " }
                    if code == .outOfRange, let number = Int64(digits), RowDetail.isSentinel(number, scale: 1) {
                        return checker.leave(row, slot, .sentinel, RowDetail.sentinel(value))
                    }
                    let name = checker.table.name(slot)
                    checker.leave(row, slot, code, RowDetail.text(code, value: value, offset: offset, field: name))
                }
            }
        }
    }

    /// Leaves a value out of its row. The row is rejected if the value says who or when, or if too many have been left out.
    private mutating func leave(_ row: Int, _ slot: Int, _ code: RowCode, _ detail: @autoclosure () -> String) {
        guard !table.vital.contains(slot), leftCount < LeftOutValue.most else {
            return reject(row, code, table.name(slot), detail())
        }
        scratch.remove(slot, row)
        let isDescribed = leftCount < LeftOutValue.described
        leftCount += 1
        leftOut[row, default: []].append(
            LeftOutValue(field: table.name(slot), code: code, detail: isDescribed ? detail() : nil))
    }

    /// Half a place is none, and one whose accuracy cannot be (negative where iOS has no place) must not pass for an exact one.
    private mutating func leavePlaces() {
        let columns = [ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy]
        let slots = columns.compactMap(table.slot), names = slots.map(table.name)
        for row in leftOut.keys.sorted() where !scratch.isBad(row) {
            guard let fault = leftOut[row]?.first(where: { names.contains($0.field) }) else { continue }
            for slot in slots.prefix(2) where scratch.isPresent(slot, row) {
                leave(row, slot, fault.code, "left out with \(fault.field)")
            }
        }
    }

    /// Rejects rows that say nothing but who and when once what cannot be is left out, by the first value that was; and forgets what
    /// was left out of rejected rows.
    private mutating func rejectEmptied() {
        for row in Array(leftOut.keys) {
            if let value = leftOut[row]?.first, !saysSomething(row) { reject(row, value) }
            if scratch.isBad(row) { leftOut[row] = nil }
        }
    }

    private func saysSomething(_ row: Int) -> Bool {
        for slot in table.content where scratch.isPresent(slot, row) { return true }
        return false
    }

    private mutating func reject(_ row: Int, _ value: LeftOutValue) {
        reject(row, value.code, value.field, value.detail ?? "implausible or unreadable")
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
                    let table = checker.table, names = table.slots(of: slot).map(table.name)
                    if let value = checker.leftOut[row]?.first(where: { names.contains($0.field) }) {
                        return checker.reject(row, value)
                    }
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
            let beyond = scratch.hasOddities ? scratch.beyond[target.slot][word] : 0
            if beyond == 0, present == RowScratch.mask(word, rows: rows) {
                var outside = false
                for row in base..<min(base + 64, rows) { outside = outside || values[row] < low || values[row] > high }
                guard outside else { continue }
            }
            var bits = present & good(word)
            while bits != 0 {
                let bit = bits & (0 &- bits)
                let value = values[base + bit.trailingZeroBitCount]
                if value < low || value > high || beyond & bit != 0 && (value == low || value == high) { wrong |= bit }
                bits ^= bit
            }
            each(wrong, word) { $0.leave($1, target.slot, values[$1], range) }
        }
    }

    private mutating func leave(_ row: Int, _ slot: Int, _ value: Int64, _ range: ClosedRange<Int64>) {
        let field = table.kind.fields[slot]
        if RowDetail.isSentinel(value, scale: field.scale) {
            leave(row, slot, .sentinel, RowDetail.sentinel(RowDetail.number(value, scale: field.scale)))
        } else {
            leave(row, slot, .outOfRange, RowDetail.range(value, field, range))
        }
    }

    /// Ranges that another column makes narrower, as the network type does those of radio figures.
    private mutating func checkNarrower() {
        for (slot, type, ranges) in table.narrower {
            for word in 0..<words {
                var bits = scratch.presence[slot][word] & scratch.presence[type][word] & good(word)
                while bits != 0 {
                    let row = word * 64 + bits.trailingZeroBitCount
                    bits &= bits - 1
                    let range = ranges[Int(scratch.integers[type][row])]
                    let value = scratch.integers[slot][row]
                    if value < range.lowerBound || value > range.upperBound
                        || scratch.isBeyond(slot, row) && (value == range.lowerBound || value == range.upperBound)
                    {
                        leave(row, slot, value, range)
                    }
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
                    leave(row, latitude, .outOfRange, "latitude and longitude are both exactly 0: no position")
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
                    for condition in conditions {
                        checker.leave(row, condition.slot, .sentinel, RowDetail.sentinel(placeholder.text))
                    }
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
                    checker.leave(row, target.slot, .tooLong, "more than \(limit) characters")
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
