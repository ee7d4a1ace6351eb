internal import CSimdjson

extension UnknownColumns {
    /// Those of the CSV that a scratch's parser has read.
    init(_ result: nkul_result, _ scratch: RowScratch) {
        var names: [String] = [], length: UInt32 = 0
        while let text = nkul_parser_unknown(scratch.parser, UInt32(names.count), &length) {
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
            names.append(String(decoding: bytes, as: UTF8.self))
        }
        self.init(count: Int(result.unknown), names: names)
    }

    /// What was seen of a first line that names no column.
    func sentence(_ result: nkul_result, _ encoding: UTF16Body.Encoding) -> String {
        let separators = [",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"]
        let separator = String(UnicodeScalar(result.separator))
        let seen = names.prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
        return result.columns == 1
            ? "read as \(encoding.rawValue): one column, \(seen); cells are separated by commas, semicolons, tabs or bars"
            : "read as \(encoding.rawValue) separated by \(separators[separator] ?? separator): \(result.columns) columns, \(seen)"
    }
}
