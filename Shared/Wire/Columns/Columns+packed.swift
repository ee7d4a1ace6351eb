/// A table that grows by packed ones and is emptied again and again, keeping its memory.
extension Columns {
    /// Adds rows of a packed table at the end, all of them or those of `rows` in their order.
    ///
    /// Columns that only one side has are absent in the rows of the other. Traps if a column changed its form.
    public mutating func append(_ other: PackedColumns, rows: [Int32]? = nil) {
        let added = rows?.count ?? other.rowCount
        var place = 0
        for theirs in 0..<other.columnCount {
            let view = other.view(theirs)
            while place < columns.count && columns[place].id < view.id {
                columns[place].appendAbsent(added)
                place += 1
            }
            if place == columns.count || columns[place].id != view.id {
                columns.insert(.absent(id: view.id, encoding: view.encoding, rowCount: rowCount), at: place)
            }
            if let rows { columns[place].append(view, rows) } else { columns[place].append(view) }
            place += 1
        }
        while place < columns.count {
            columns[place].appendAbsent(added)
            place += 1
        }
        rowCount += added
    }

    /// Gives every row the same value in a column of integers.
    public mutating func fill(_ id: UInt8, encoding: ColumnEncoding = .integer, with value: Int64) {
        let place = columns.firstIndex { $0.id >= id } ?? columns.count
        if place == columns.count || columns[place].id != id {
            columns.insert(.absent(id: id, encoding: encoding, rowCount: rowCount), at: place)
        }
        columns[place].fill(with: value, rowCount: rowCount)
    }

    /// Forgets all rows; the columns stay, with their memory.
    public mutating func removeAllRows() {
        for place in columns.indices { columns[place].removeAll() }
        rowCount = 0
    }
}

extension Column {
    /// Adds all rows of a packed column at the end.
    fileprivate mutating func append(_ view: PackedColumns.View) {
        precondition(hasSameForm(as: view.encoding), "column \(id) changed its form")
        presence.append(
            UnsafeBufferPointer(start: view.presence, count: RowSet.wordCount(view.rowCount)), count: view.rowCount)
        switch encoding {
        case .integer, .delta: integers.append(contentsOf: view.integers)
        case .fixed16: bytes.append(contentsOf: view.fixed16)
        case .bytes, .plainBytes:
            let base = UInt32(bytes.count)
            bytes.append(contentsOf: view.bytes)
            for end in view.ends { ends.append(base + end) }
        }
    }

    /// Adds some rows of a packed column at the end.
    fileprivate mutating func append(_ view: PackedColumns.View, _ rows: [Int32]) {
        precondition(hasSameForm(as: view.encoding), "column \(id) changed its form")
        for row in rows.lazy.map(Int.init) {
            precondition(row >= 0 && row < view.rowCount, "row out of range")
            presence.append(view.isPresent(row))
            switch encoding {
            case .integer, .delta: integers.append(view.integers[row])
            case .fixed16: bytes.append(contentsOf: view.fixed16[16 * row..<16 * row + 16])
            case .bytes, .plainBytes:
                bytes.append(contentsOf: view.string(row))
                ends.append(UInt32(bytes.count))
            }
        }
    }

    fileprivate mutating func fill(with value: Int64, rowCount: Int) {
        precondition(encoding.isInteger, "only a column of integers is filled")
        presence = .full(rowCount)
        integers.removeAll(keepingCapacity: true)
        integers.append(contentsOf: repeatElement(value, count: rowCount))
    }

    fileprivate mutating func removeAll() {
        presence.removeAll()
        integers.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
