/// A service that did not become ready, with the end of its log.
struct NotReady: Error, CustomStringConvertible {
    let name: String
    let output: String

    var description: String { "\(name) did not become ready; its log ends:\n\(output)" }
}
