import Lanes
import Models
import Seeds
import Storage
import Testing
import Wire

@Suite struct SupersededRowsTests {
    private let database = try! ServiceDatabase(path: ":memory:", migrations: [])

    /// The rows of every key, in order, with their blocks.
    private func rows() throws -> [String: [(block: UInt64, text: [UInt8]?)]] {
        var decoder = ColumnDecoder()
        var rows: [String: [(block: UInt64, text: [UInt8]?)]] = [:]
        let limit = JournalPage.Limit(blocks: .max, bytes: .max)
        for block in try Journal.read(lane: .alerts, from: database.reader(), after: 0, limit: limit).blocks {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                let key = String(decoding: columns[ColumnID.key]!.value(row)!, as: UTF8.self)
                let text = columns.columns.first { $0.id != ColumnID.key }?.value(row).map(Array.init)
                rows[key, default: []].append((block.header.number, text))
            }
        }
        return rows
    }

    /// Compaction before, between and after the rounds: a newcomer always gets the last record of every key.
    @Test(arguments: UInt64(0)..<UInt64(Seeds.share(of: 8))) func `only the last rows of some keys are left`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let journal = try Journal(lane: .alerts, in: database, limits: LaneLimits(maximumBytes: 32 << 20))
        var encoder = ColumnEncoder()
        var truth: [String: [UInt8]?] = [:]
        func write(_ keys: [Int]) throws {
            let records = keys.map { key in
                let text = (0..<600).map { _ in String(random.below(10)) }.joined()
                return (key: "key \(key)", text: random.chance(percent: 10) ? nil : text as String?)
            }
            for record in records { truth[record.key] = .some(record.text.map { Array($0.utf8) }) }
            _ = try database.write {
                try journal.append($0, kind: .alarm, columns: SampleRows.states(records), encoder: &encoder, now: 0)
            }
        }
        func compact() throws {
            if random.chance(percent: 50) { _ = try database.write { try journal.maintain($0, now: 0) } }
        }
        for _ in 0..<3 {
            for _ in 0..<60 {
                try write((0..<(1 + random.below(60))).map { _ in random.below(100) })
                try compact()
            }
            // What a writer does: it notes where the lane ends and writes the keys anew.
            let through = journal.head
            try write(Array(0..<10))
            let concerned = Set((0..<10).map { "key \($0)" })
            let hashes = KeyHashes(concerned.map { key in Array(key.utf8).withUnsafeBytes(KeyHashes.hash) })
            var pass = JournalErasure()
            while !pass.isDone {
                try database.write { db in
                    try journal.eraseSuperseded(db, kind: .alarm, of: hashes, &pass) { columns, header in
                        (0..<Int32(columns.rowCount)).filter { row in
                            let key = String(decoding: columns[ColumnID.key]!.value(Int(row))!, as: UTF8.self)
                            return header.number > through || !concerned.contains(key)
                        }
                    }
                }
                try compact()
                if random.chance(percent: 20) { try write([random.below(100)]) }
            }
            let left = try rows()
            for key in concerned { #expect(left[key]!.allSatisfy { $0.block > through }) }
            for (key, text) in truth { #expect(left[key]?.last?.text == text) }
        }
        while try database.write({ try journal.maintain($0, now: 0) }).hasMore {}
        let left = try rows()
        for (key, text) in truth { #expect(left[key]?.last?.text == text) }
    }

    @Test func `a block that was opened before and has none of the keys stays closed, until it is another`() throws {
        let journal = try Journal(lane: .alerts, in: database)
        var encoder = ColumnEncoder()
        func write(_ keys: String...) throws {
            let rows = SampleRows.states(keys.map { ($0, "x") })
            _ = try database.write { try journal.append($0, kind: .alarm, columns: rows, encoder: &encoder, now: 0) }
        }
        /// The blocks that are opened while the rows of a key go, all but those of the newest block.
        func erase(_ key: String) throws -> [UInt64] {
            let keys = KeyHashes([Array(key.utf8).withUnsafeBytes(KeyHashes.hash)]), newest = journal.head
            var pass = JournalErasure(), opened: [UInt64] = []
            try database.write { db in
                while !pass.isDone {
                    try journal.eraseSuperseded(db, kind: .alarm, of: keys, &pass) { columns, header in
                        opened.append(header.number)
                        return (0..<Int32(columns.rowCount)).filter { row in
                            header.number == newest
                                || columns[ColumnID.key]!.value(Int(row)).map(Array.init) != Array(key.utf8)
                        }
                    }
                }
            }
            return opened
        }
        try write("a", "b")
        try write("c")
        try write("a")
        #expect(try erase("a") == [1, 2, 3])
        #expect(try erase("a") == [1, 3])
        #expect(try erase("c") == [2])
        #expect(try erase("d") == [])
        #expect(try rows().mapValues { $0.map(\.block) } == ["a": [3], "b": [1]])
        try? database.write { db in
            _ = try journal.append(
                db, kind: .alarm, columns: SampleRows.states([("e", "x")]), encoder: &encoder, now: 0)
            var pass = JournalErasure()
            while !pass.isDone {
                try journal.eraseSuperseded(db, kind: .alarm, of: KeyHashes([0]), &pass) { columns, _ in
                    (0..<Int32(columns.rowCount)).map { $0 }
                }
            }
            throw CancellationError()
        }
        try write("d")
        try write("d", "f")
        #expect(try erase("d") == [4, 5])
        journal.sweep()
        for _ in 0..<10 { try database.write { _ = try journal.maintain($0, now: 10) } }
        // What is left is one block, under the number of the last.
        #expect(try erase("b") == [5])
    }
}
