/// Where two texts begin to differ, for messages.
public enum TextDifference {
    /// The first line that is not the same, of both.
    public static func first(_ product: String, _ model: String) -> String {
        let left = product.split(separator: "\n"), right = model.split(separator: "\n")
        let index = zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
        func line(_ lines: [Substring]) -> String { index < lines.count ? String(lines[index]) : "(end)" }
        return "statistics differ in line \(index + 1): \(line(left)) instead of \(line(right))"
    }
}
