/// What becomes of a line of `nkul-batch-aggregator --dump` of an older version in this build.
///
/// This is the one place where the two formats meet: whoever changes what a cell is or how it is printed adds a step here, for the
/// fixture homes from before the change, and says in a sentence what it does to their cells. The texts are compared byte for byte
/// after it, so nothing may be lost or made up on the way.
///
/// Steps so far:
///
/// 1. Cells of 0.1.0 name no population. What was counted before does not say whether its subscriber shares with operators, so it is
///    of the population that is not shared: a regulator's figures stay, an operator's are empty.
public enum DumpMapping {
    /// - Parameters:
    ///   - dump: the whole text that the programs of a version printed.
    ///   - version: name of the fixture home.
    /// - Returns: the text that this build must print of the same home.
    public static func text(_ dump: String, of version: String) -> String {
        let mapped = dump.split(separator: "\n").flatMap { lines(String($0), of: version) }
        return mapped.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { $0 + "\n" }.joined()
    }

    /// The lines of this build in place of one line of a version; none: the cell is not there any more.
    ///
    ///     300 1785000000 1222230123012301 62401 4G samples=2 …
    ///     300 1785000000 1222230123012301 62401 4G unshared samples=2 …
    private static func lines(_ line: String, of version: String) -> [String] {
        guard version == "0.1.0" else { return [line] }
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        words.insert("unshared", at: 5)
        return [words.joined(separator: " ")]
    }
}
