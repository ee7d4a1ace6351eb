import CSimdjson
import Models

@testable import IngestUploads

/// The C++ parser in memory of exactly the size its header promises, so that AddressSanitizer sees one byte too many.
final class ExactParser {
    private static let rowCount = 64
    private let parser = nkul_parser_create()!
    private let table: RowTable
    private var columns: [nkul_column]
    private let faults = UnsafeMutablePointer<nkul_fault>.allocate(capacity: rowCount)

    init(_ kind: RecordKind) {
        table = RowTable(kind)
        let identifiers = Set(kind.fields.indices.filter { kind.fields[$0].representation == .identifier })
        columns = (0..<table.slotCount).map { slot in
            let isIdentifier = identifiers.contains(slot)
            func word() -> UnsafeMutablePointer<UInt64> {
                let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
                word.initialize(to: 0)
                return word
            }
            return nkul_column(
                integers: .allocate(capacity: Self.rowCount),
                identifiers: isIdentifier ? .allocate(capacity: 16 * Self.rowCount) : nil, presence: word(),
                left: word(), beyond: word())
        }
    }

    func run(_ bytes: UnsafeRawBufferPointer, _ format: UploadRequest.Format) throws {
        let body = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + Int(NKUL_PADDING))
        let text = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        defer {
            body.deallocate()
            text.deallocate()
            for column in columns {
                column.presence.pointee = 0
                column.left.pointee = 0
                column.beyond.pointee = 0
            }
        }
        body.initialize(repeating: 0, count: bytes.count + Int(NKUL_PADDING))
        UnsafeMutableRawBufferPointer(start: body, count: bytes.count).copyMemory(from: bytes)
        let length = UInt32(bytes.count)
        let result = columns.withUnsafeMutableBufferPointer { columns in
            var rows = nkul_rows(
                columns: columns.baseAddress, capacity: UInt32(Self.rowCount), faults: faults, text: text)
            return format == .json
                ? nkul_parse_json(parser, table.handle, body, length, &rows)
                : nkul_parse_csv(parser, table.handle, body, length, &rows)
        }
        try check(result, length: length)
    }

    private func check(_ result: nkul_result, length: UInt32) throws {
        func expect(_ holds: Bool, _ rule: String) throws {
            if !holds { throw UploadInvariants.Broken(description: "\(rule): \(result)") }
        }
        try expect(result.rows <= UInt32(Self.rowCount), "more rows than there is room for")
        try expect(result.faults <= result.rows, "more faults than rows")
        try expect(result.unreadable <= result.rows, "more unreadable rows than rows")
        try expect(result.text_length <= length, "more text than there was")
        try expect(result.damage_offset <= length, "damage beyond the end")
        try expect(
            columns.allSatisfy { $0.presence.pointee & $0.left.pointee == 0 }, "a value is both there and left out")
        for column in columns {
            for row in 0..<Self.rowCount where column.left.pointee >> UInt64(row) & 1 == 1 {
                let why = UInt64(bitPattern: column.integers[row])
                try expect(UInt32(truncatingIfNeeded: why) <= length, "a value that was left out beyond the end")
            }
        }
        var previous: Int64 = -1
        for fault in UnsafeBufferPointer(start: faults, count: Int(result.faults)) {
            try expect(Int64(fault.row) > previous && fault.row < result.rows, "faults are not ascending")
            try expect(fault.offset <= length && fault.length <= 64, "a fault beyond the end")
            try expect(
                fault.field == UInt16(NKUL_NO_FIELD) || Int(fault.field) < table.slotCount, "a fault of no field")
            previous = Int64(fault.row)
        }
    }
}
