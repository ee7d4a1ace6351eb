import CSimdjson
import Foundation
import Models
import QoE
import Wire

/// What the same reports cost at the least: inflate, simdjson parse into columns, deflate of columns, on one thread.
///
/// By zlib, as it is promised (level 1), whatever the services use; or by what they use.
final class Floor {
    enum Libraries: CaseIterable { case zlib, own }

    private static let blockRows = 1_000
    private let libraries: Libraries
    private let fields: [Field]
    private let table: OpaquePointer
    private let parser: OpaquePointer
    private let capacity = 128
    private let integers: [UnsafeMutablePointer<Int64>?]
    private let identifiers: UnsafeMutablePointer<UInt8>
    private let presence: [UnsafeMutablePointer<UInt64>]
    /// No value of the benchmark's own data is left out, or lies beyond its range.
    private let left, beyond: UnsafeMutablePointer<UInt64>
    private let faults: UnsafeMutablePointer<nkul_fault>
    private let text: UnsafeMutablePointer<UInt8>
    private let names: [UnsafeMutablePointer<CChar>]

    init(_ libraries: Libraries) throws {
        self.libraries = libraries
        let fields =
            RecordKind.report.fields.filter { field in
                if case .instant = field.representation { return false }
                return true
            } + [Field(ColumnID.capturedAt, "captured_at_ms", .number(scale: 1), delta: true)]
        self.fields = fields
        let names = fields.compactMap { strdup($0.name) }
        self.names = names
        let choice = [(NetworkType.lte.name, NetworkType.lte.rawValue)].map { ($0.utf8.count, strdup($0), $1) }
        var known = choice.map { nkul_name(text: UnsafePointer($0.1), length: UInt32($0.0), code: $0.2) }
        defer { choice.forEach { free($0.1) } }
        let made = known.withUnsafeMutableBufferPointer { known -> OpaquePointer? in
            let entries = fields.enumerated().map { place, field in
                Self.entry(field, names[place], UnsafePointer(known.baseAddress))
            }
            return nkul_table_create(entries, UInt32(entries.count))
        }
        guard let made, let parser = nkul_parser_create() else { throw BenchError("out of memory") }
        table = made
        self.parser = parser
        integers = fields.map { field in
            if case .identifier = field.representation { return nil }
            return .allocate(capacity: 128)
        }
        identifiers = .allocate(capacity: 128 * 16)
        presence = fields.map { _ in .allocate(capacity: 2) }
        left = .allocate(capacity: 2)
        left.initialize(repeating: 0, count: 2)
        beyond = .allocate(capacity: 2)
        beyond.initialize(repeating: 0, count: 2)
        faults = .allocate(capacity: 128)
        text = .allocate(capacity: 1 << 20)
    }

    deinit {
        nkul_table_destroy(table)
        nkul_parser_destroy(parser)
        for pointer in integers { pointer?.deallocate() }
        identifiers.deallocate()
        presence.forEach { $0.deallocate() }
        faults.deallocate()
        text.deallocate()
        names.forEach { free($0) }
    }

    /// CPU microseconds a report, over bodies of at most 128 gzip JSON reports each.
    func measure(_ bodies: [[UInt8]]) throws -> Double {
        _ = try run(Array(bodies.prefix(50)))
        let start = Monotonic.processNanoseconds()
        let rows = try run(bodies)
        return Double(Monotonic.processNanoseconds() - start) / 1_000 / Double(max(rows, 1))
    }

    private func run(_ bodies: [[UInt8]]) throws -> Int {
        var inflater = Inflater(format: .gzip, limit: 4_000_000), ownInflater = BodyInflater(limit: 4_000_000)
        var encoder = FloorEncoder(), ownEncoder = ColumnEncoder()
        var body: [UInt8] = [], block = Columns(rowCount: 0, columns: []), rows = 0
        func inflate(_ compressed: [UInt8]) throws -> Int {
            if libraries == .own {
                return try compressed.withUnsafeBytes {
                    try ownInflater.inflate($0, into: &body, padding: Int(NKUL_PADDING))
                }
            }
            inflater.reset()
            body.removeAll(keepingCapacity: true)
            try inflater.append(compressed, into: &body)
            defer { body.append(contentsOf: repeatElement(0, count: Int(NKUL_PADDING))) }
            return body.count
        }
        func encode() throws {
            rows += block.rowCount
            if libraries == .own { _ = try ownEncoder.encode(block) } else { _ = try encoder.encode(block) }
            block = Columns(rowCount: 0, columns: [])
        }
        for compressed in bodies {
            let length = try inflate(compressed)
            block.append(try parse(body, length))
            if block.rowCount >= Self.blockRows { try encode() }
        }
        if block.rowCount > 0 { try encode() }
        return rows
    }

    private func parse(_ body: [UInt8], _ length: Int) throws -> Columns {
        for words in presence { words.update(repeating: 0, count: 2) }
        let columns = fields.indices.map { place in
            nkul_column(
                integers: integers[place], identifiers: integers[place] == nil ? identifiers : nil,
                presence: presence[place], left: left, beyond: beyond)
        }
        let result = columns.withUnsafeBufferPointer { columns in
            var rows = nkul_rows(columns: columns.baseAddress, capacity: UInt32(capacity), faults: faults, text: text)
            return body.withUnsafeBufferPointer {
                nkul_parse_json(parser, table, $0.baseAddress, UInt32(length), &rows)
            }
        }
        guard result.status == NKUL_FINE, result.faults == 0, result.left == 0 else {
            throw BenchError("the floor cannot parse its own data")
        }
        return Columns(rowCount: Int(result.rows), columns: gather(Int(result.rows)))
    }

    private func gather(_ rows: Int) -> [Column] {
        fields.enumerated().compactMap { place, field -> Column? in
            let words = Array(UnsafeBufferPointer(start: presence[place], count: (rows + 63) / 64))
            let set = RowSet(count: rows, words: words)
            guard !set.isEmpty else { return nil }
            guard let values = integers[place] else {
                return Column(
                    id: field.column, presence: set,
                    fixed16: Array(UnsafeBufferPointer(start: identifiers, count: rows * 16)))
            }
            return Column(
                id: field.column, encoding: field.isDelta ? .delta : .integer, presence: set,
                integers: Array(UnsafeBufferPointer(start: values, count: rows)))
        }.sorted { $0.id < $1.id }
    }

    private static func entry(
        _ field: Field, _ name: UnsafeMutablePointer<CChar>, _ choices: UnsafePointer<nkul_name>?
    ) -> nkul_field {
        var entry = nkul_field()
        entry.name = UnsafePointer(name)
        entry.name_length = UInt32(field.name.utf8.count)
        switch field.representation {
        case .identifier: entry.representation = UInt8(NKUL_IDENTIFIER)
        case .number(let scale):
            entry.representation = UInt8(NKUL_NUMBER)
            entry.decimals = UInt8("\(scale)".count - 1)
        case .digits: entry.representation = UInt8(NKUL_DIGITS)
        case .choice:
            entry.representation = UInt8(NKUL_CHOICE)
            entry.names = choices
            entry.name_count = 1
        case .flag: entry.representation = UInt8(NKUL_FLAG)
        case .instant: entry.representation = UInt8(NKUL_INSTANT)
        case .text: entry.representation = UInt8(NKUL_TEXT)
        }
        return entry
    }
}
