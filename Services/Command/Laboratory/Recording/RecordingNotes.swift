/// The first line of a recording: what is real in it, what was added, and by whom.
///
///     # nkul-recording 1 real=radio,throughput added="operator, place"
///
/// Values with spaces stand in quotes; a quote or backslash inside has a backslash before it.
public struct RecordingNotes: Sendable, Equatable {
    /// Format of the file; readers refuse a higher one.
    public static let version = 1
    private static let mark = "# nkul-recording "

    /// In order.
    public var entries: [(key: String, value: String)]

    public init(_ entries: KeyValuePairs<String, String> = [:]) {
        self.entries = entries.map { ($0.key, $0.value) }
    }

    public subscript(key: String) -> String? {
        get { entries.first { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append((key, newValue)) }
        }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) { $0 == $1 }
    }

    /// Without the end of the line.
    var line: String {
        Self.mark + (["\(Self.version)"] + entries.map { "\($0.key)=\(Self.quoted($0.value))" }).joined(separator: " ")
    }

    /// Why a line is not the first of a recording that this build can read.
    enum Refusal: Error, Equatable {
        case notARecording
        case newer(version: String)
    }

    /// Reads a first line without its end.
    init(line: String) throws(Refusal) {
        guard line.hasPrefix(Self.mark) else { throw .notARecording }
        var rest = line.dropFirst(Self.mark.count)
        let version = rest.prefix { $0 != " " }
        guard version.contains(where: { $0 != "0" }), version.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .notARecording
        }
        guard let number = Int(version), number <= Self.version else { throw .newer(version: String(version)) }
        rest = rest.dropFirst(version.count)
        entries = []
        while let entry = Self.entry(&rest) { entries.append(entry) }
    }

    private static func entry(_ rest: inout Substring) -> (key: String, value: String)? {
        rest = rest.drop { $0 == " " }
        guard let equals = rest.firstIndex(of: "=") else { return nil }
        let key = String(rest[..<equals])
        rest = rest[rest.index(after: equals)...]
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != " " }
            rest = rest.dropFirst(value.count)
            return (key, String(value))
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        return (key, value)
    }

    private static func quoted(_ value: String) -> String {
        let oneLine = String(value.map { $0.isNewline ? " " : $0 })
        guard oneLine.isEmpty || oneLine.contains(where: { " \"\\=".contains($0) }) else { return oneLine }
        let escaped = oneLine.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
