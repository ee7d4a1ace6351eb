/// An answer that no retry will change.
struct Refused: Error, CustomStringConvertible {
    let status: Int
    let text: String

    var description: String { "answered \(status): \(text)" }
}
