/// Columns of a CSV whose names are no field's: nothing of them is read.
package struct UnknownColumns: Sendable, Equatable {
    package let count: Int
    /// The first of them, at most 40 bytes of each, without blanks around them and in lower case.
    package let names: [String]
}
