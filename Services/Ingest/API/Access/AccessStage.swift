/// Where a copy goes on: as a text, for who asks for it piece by piece.
///
///     head │ parts/<giver>/<index> │ own/<lines>/<place>
package enum AccessStage: Equatable {
    case head
    case parts(giver: Int, index: Int)
    /// Ingest's own lines, after a place and so many of them.
    case own(lines: Int, after: String?)
    case over

    var text: String? {
        switch self {
        case .head: "head"
        case .parts(let giver, let index): "parts/\(giver)/\(index)"
        case .own(let lines, let place): "own/\(lines)" + (place.map { "/" + $0 } ?? "")
        case .over: nil
        }
    }

    /// Nil if it is no place of a copy.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let number = parts.count > 1 ? Int(parts[1]) : nil
        switch (parts[0], parts.count, number) {
        case ("head", 1, _): self = .head
        case ("parts", 3, let giver?):
            guard (0...AccessDocument.givers.count).contains(giver), let index = Int(parts[2]) else { return nil }
            self = .parts(giver: giver, index: index)
        case ("own", 2, let lines?): self = .own(lines: lines, after: nil)
        case ("own", 3, let lines?): self = .own(lines: lines, after: parts[2])
        default: return nil
        }
    }
}
