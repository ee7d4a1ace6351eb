/// A row that ingest could not take, before anybody looked whether it was seen before.
struct RowRejection: Sendable, Equatable {
    /// Place in the upload, from 0.
    let row: Int
    let code: RowCode
    /// Name of the field at fault, nil where it is the row as a whole.
    let field: String?
    /// One sentence for the phone's author.
    let detail: String
}
