/// Columns of a CSV whose names are no field's: nothing of them is read.
struct UnknownColumns: Sendable, Equatable {
    let count: Int
    /// The first of them, at most 40 bytes of each, without blanks around them and in lower case.
    let names: [String]
}
