/// A row that ingest could not take, before anybody looked whether it was seen before.
package struct RowRejection: Sendable, Equatable {
    /// Place in the upload, from 0.
    package let row: Int
    package let code: RowCode
    /// Name of the field at fault, nil where it is the row as a whole.
    package let field: String?
    /// One sentence for the phone's author.
    package let detail: String

    package init(row: Int, code: RowCode, field: String?, detail: String) {
        self.row = row
        self.code = code
        self.field = field
        self.detail = detail
    }
}
