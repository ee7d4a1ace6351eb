/// Where something was found.
struct ImportSite: Sendable, Equatable, CustomStringConvertible {
    let file: String
    /// Counted from 1.
    let line: Int

    var description: String { "\(file):\(line)" }
}
