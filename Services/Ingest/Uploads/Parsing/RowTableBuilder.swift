internal import CSimdjson
internal import Models

/// Collects fields and hands them to C++, which copies them.
struct RowTableBuilder {
    private var fields: [(field: Field, ranges: [ClosedRange<Int64>])] = []

    var count: Int { fields.count }

    /// - Parameter narrower: ranges beside the field's own that its numbers may have to be in.
    mutating func add(_ field: Field, narrower: [ClosedRange<Int64>] = []) {
        fields.append((field, [field.range] + narrower))
    }

    func build() -> OpaquePointer {
        var texts: [UnsafeMutablePointer<CChar>] = []
        var names: [UnsafeMutablePointer<nkul_name>] = []
        var numbers: [UnsafeMutablePointer<nkul_number>] = []
        var edges: [UnsafeMutablePointer<nkul_edge>] = []
        defer {
            edges.forEach { $0.deallocate() }
            texts.forEach { $0.deallocate() }
            names.forEach { $0.deallocate() }
            numbers.forEach { $0.deallocate() }
        }
        func text(_ string: String) -> UnsafeMutablePointer<CChar> {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.utf8.count + 1)
            for (place, byte) in string.utf8.enumerated() { copy[place] = CChar(bitPattern: byte) }
            texts.append(copy)
            return copy
        }
        let entries = fields.map { field, ranges in
            var entry = nkul_field()
            let ends = UnsafeMutablePointer<nkul_edge>.allocate(capacity: 2 * ranges.count)
            for (place, range) in ranges.enumerated() {
                ends[2 * place] = nkul_edge(value: range.lowerBound, high: 0)
                ends[2 * place + 1] = nkul_edge(value: range.upperBound, high: 1)
            }
            edges.append(ends)
            entry.edges = UnsafePointer(ends)
            entry.edge_count = UInt32(2 * ranges.count)
            entry.name = UnsafePointer(text(field.name))
            entry.name_length = UInt32(field.name.utf8.count)
            Self.describe(field, &entry)
            guard case .choice(let choices) = field.representation else { return entry }
            // Names are among the aliases.
            let codes = choices.aliases.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }
            let copies = UnsafeMutablePointer<nkul_name>.allocate(capacity: codes.count)
            for (place, (name, code)) in codes.enumerated() {
                copies[place] = nkul_name(text: text(name), length: UInt32(name.utf8.count), code: code)
            }
            let known = UnsafeMutablePointer<nkul_number>.allocate(capacity: max(1, choices.numbers.count))
            for (place, (number, code)) in choices.numbers.enumerated() {
                known[place] = nkul_number(number: number, code: code)
            }
            names.append(copies)
            numbers.append(known)
            entry.names = UnsafePointer(copies)
            entry.name_count = UInt32(codes.count)
            entry.numbers = UnsafePointer(known)
            entry.number_count = UInt32(choices.numbers.count)
            return entry
        }
        guard let handle = nkul_table_create(entries, UInt32(entries.count)) else { fatalError("out of memory") }
        return handle
    }

    private static func describe(_ field: Field, _ entry: inout nkul_field) {
        switch field.representation {
        case .identifier: entry.representation = UInt8(NKUL_IDENTIFIER)
        case .number(let scale):
            entry.representation = UInt8(NKUL_NUMBER)
            entry.decimals = UInt8(String(scale).count - 1)
            entry.whole = field.isWhole ? 1 : 0
        case .digits: entry.representation = UInt8(NKUL_DIGITS)
        case .choice: entry.representation = UInt8(NKUL_CHOICE)
        case .flag: entry.representation = UInt8(NKUL_FLAG)
        case .instant: entry.representation = UInt8(NKUL_INSTANT)
        case .text: entry.representation = UInt8(NKUL_TEXT)
        }
    }
}
