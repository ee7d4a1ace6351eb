/// Where a CSV text lacks or changes what another one says: columns are compared by name, for later versions may have more.
public enum TableDifference {
    /// - Parameter passingOver: columns that are not compared.
    /// - Returns: the first difference of rows or values, in words; nil if `actual` says all that `expected` does.
    public static func first(
        _ actual: String, _ expected: String, passingOver: Set<String> = []
    ) -> String? {
        let found = rows(actual), wanted = rows(expected)
        guard found.count == wanted.count else { return "\(found.count) rows instead of \(wanted.count)" }
        for (number, row) in wanted.enumerated() {
            for (column, value) in row.sorted(by: { $0.key < $1.key }) where !passingOver.contains(column) {
                guard found[number][column] != value else { continue }
                return "row \(number), \(column): \(found[number][column] ?? "no column") instead of \(value)"
            }
        }
        return nil
    }

    /// Values by the name of their column; nothing in a fixture needs quotes.
    private static func rows(_ text: String) -> [[String: String]] {
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let names = lines.first else { return [] }
        return lines.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
    }
}
