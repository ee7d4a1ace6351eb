/// What becomes of a line of `nkul-batch-aggregator --dump` of an older version in this build.
///
/// This is the one place where the two formats meet: whoever changes what a cell is or how it is printed adds a step here, for the
/// fixture homes from before the change, and says in a sentence what it does to their cells. The texts are compared byte for byte
/// after it, so nothing may be lost or made up on the way.
///
/// Steps so far: none. The dumps of 0.1.0 are those of this build, line for line.
///
/// A step that is to come with cells of a population: rows from before it do not say whether their subscriber shares with operators,
/// so the cells made of them are cells of the population "all". The regulator's figures stay, an operator's become empty;
/// `FixtureHomeAnswers.heatmaps` has that on its side.
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
    private static func lines(_ line: String, of version: String) -> [String] { [line] }
}
