/// What ArgumentParser prints, with its line of usage broken too: that comes as one line, however long.
enum HelpText {
    private static let width = 80

    static func fitted(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.count > width && line.lowercased().hasPrefix("usage: ") ? broken(line) : String(line)
        }
        .joined(separator: "\n")
    }

    /// Breaks between arguments, never inside the brackets of one.
    private static func broken(_ line: Substring) -> String {
        var lines: [String] = [], last = ""
        for argument in arguments(line) {
            if !last.isEmpty, last.count + 1 + argument.count > width {
                lines.append(last)
                last = "      "
            }
            last += last.isEmpty ? argument : " " + argument
        }
        return (lines + [last]).joined(separator: "\n")
    }

    private static func arguments(_ line: Substring) -> [String] {
        var arguments: [String] = [], depth = 0
        for word in line.split(separator: " ").map(String.init) {
            if depth > 0 { arguments[arguments.count - 1] += " " + word } else { arguments.append(word) }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return arguments
    }
}
