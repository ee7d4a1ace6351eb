/// A row as a format's reader gives it, with what rows after it and relocation must know.
struct ImportedRow: Sendable {
    var row: RecordingRow
    let line: Int
    /// False where the file says that the operator was lost: relocation does not invent one.
    var hasOperator = true
    /// Whether a rule changed something.
    var isMended = false
}
