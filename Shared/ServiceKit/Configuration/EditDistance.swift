/// How many letters two words differ by (Levenshtein), for "did you mean".
public enum EditDistance {
    /// The nearest of several words, if it is near enough to be what was meant: a third of the letters may differ, or two
    /// that changed places. Of several that are equally near, the first.
    public static func nearest(to word: String, in words: some Sequence<String>) -> String? {
        let nearest = words.map { (word: $0, distance: between(word, $0)) }.min { $0.distance < $1.distance }
        let length = max(word.utf8.count, nearest?.word.utf8.count ?? 0)
        guard let nearest, nearest.distance <= max(length < 4 ? 1 : 2, length / 3) else { return nil }
        return nearest.word
    }

    static func between(_ one: String, _ other: String) -> Int {
        let first = Array(one.utf8)
        let second = Array(other.utf8)
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in 0..<second.count {
                let substituted = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
