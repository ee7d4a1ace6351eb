import OpenFormats

/// What was found in the rows, counted by rule, each with its first example.
struct ImportLedger: Sendable {
    /// Of one rule.
    struct Entry: Sendable, Equatable {
        /// Values, or rows where the rule is about rows.
        var count: Int
        var example: ImportSite
        /// What stood there, if it was a value.
        var value: String
    }

    /// Of one file.
    struct FileCount: Sendable, Equatable {
        let file: String
        let format: String
        /// What the file says of itself, if it is a recording.
        var notes: RecordingNotes?
        var rows = 0
        /// Rows taken as they are.
        var taken = 0
        /// Rows taken after something was changed or left out.
        var mended = 0
        var left = 0
        /// By name of a column that is not read: how many values stand there.
        var unused: [String: Int] = [:]
    }

    private(set) var entries: [ImportRule: Entry] = [:]
    private(set) var files: [FileCount] = []
    private var rules: Set<ImportRule> = []
    private var site = ImportSite(file: "", line: 0)
    /// Of the current row, by column: the sign of what rounding took away from a value.
    private(set) var rests: [UInt8: Int] = [:]

    mutating func beginFile(_ file: String, format: String, notes: RecordingNotes? = nil) {
        files.append(FileCount(file: file, format: format, notes: notes))
    }

    mutating func beginRow(line: Int) {
        site = ImportSite(file: files.last?.file ?? "", line: line)
        rules = []
        rests = [:]
    }

    /// A value of the current row was rounded.
    ///
    /// - Parameter rest: sign of what that took away.
    mutating func noteRounding(of column: UInt8, rest: Int) { rests[column] = rest }

    /// Something was found in the current row.
    mutating func note(_ rule: ImportRule, _ value: String = "") {
        entries[rule, default: Entry(count: 0, example: site, value: value)].count += 1
        rules.insert(rule)
    }

    /// The current row is done.
    mutating func endRow() {
        guard !files.isEmpty else { return }
        let last = files.count - 1
        files[last].rows += 1
        if rules.contains(where: { $0.outcome == .left }) {
            files[last].left += 1
        } else if rules.contains(where: { $0.outcome == .mended }) {
            files[last].mended += 1
        } else {
            files[last].taken += 1
        }
    }

    /// Something was found in a row that was counted as taken or mended before (what only later rows could tell).
    mutating func noteLater(_ rule: ImportRule, line: Int, wasMended: Bool) {
        guard !files.isEmpty else { return }
        let last = files.count - 1
        let example = ImportSite(file: files[last].file, line: line)
        entries[rule, default: Entry(count: 0, example: example, value: "")].count += 1
        guard !wasMended else { return }
        files[last].taken -= 1
        files[last].mended += 1
    }

    /// Something was found that concerns a whole file.
    mutating func note(_ rule: ImportRule, ofFile file: Int, _ value: String) {
        let example = ImportSite(file: files[file].file, line: 1)
        entries[rule, default: Entry(count: 0, example: example, value: value)].count += 1
    }

    /// A column of the current row is not read.
    mutating func pass(over row: CSVRow, _ cell: Int, _ name: String) {
        guard !files.isEmpty, cell < row.count, !row.isEmpty(cell), row[cell] != "-" else { return }
        files[files.count - 1].unused[name, default: 0] += 1
    }

    /// Whether the current row is left out.
    var isRowLeft: Bool { rules.contains { $0.outcome == .left } }

    /// Whether something was changed in the current row so far.
    var isRowMended: Bool { rules.contains { $0.outcome == .mended } }
}

/// Where something was found.
struct ImportSite: Sendable, Equatable, CustomStringConvertible {
    let file: String
    /// Counted from 1.
    let line: Int

    var description: String { "\(file):\(line)" }
}
