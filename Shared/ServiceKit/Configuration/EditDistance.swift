/// How many letters two words differ by (Levenshtein), for "did you mean".
enum EditDistance {
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
