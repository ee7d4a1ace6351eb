import CommandSupport

/// A message as a line of text for people, or of JSON for programs.
struct TailLine {
    enum Style: Sendable { case plain, coloured, json }

    let style: Style
    let prefixes: [String]
    /// Names of networks, by PLMN.
    var operators: [String: String] = [:]

    /// The line with its newline; nil for what would only repeat another line.
    func text(_ message: TailMessage) -> [UInt8]? {
        if style == .json { return json(message) }
        // A change of severity comes under the old topic and the new; who has both prefixes reads it once.
        let isOldTopic = message.topic != message.presentTopic
        if isOldTopic && prefixes.contains(where: message.presentTopic.hasPrefix) { return nil }
        return Array(plain(message).utf8)
    }

    private func plain(_ message: TailMessage) -> String {
        let severity = message.header.severity ?? "indeterminate"
        let (owner, subject) = message.parts ?? ("?", "")
        let place = subject.isEmpty ? "no cell" : subject
        let town = PlaceName.text(quadkey: subject).map { "  \($0)" } ?? ""
        let name = operators[owner].map { " \($0)" } ?? ""
        let change = message.header.previousSeverity.flatMap { $0 == severity ? nil : " (was \($0))" } ?? ""
        let count = "\(counted(message.alarm.devices, "device")), \(counted(message.alarm.records, "record"))"
        let line =
            "\(printable(message.header.time))  \(padded(severity, 13))  \(padded(owner + name, ownerWidth))"
            + "  \(padded(place, 16))\(padded(town, town.isEmpty ? 0 : 24))  \(message.alarm.specificProblem ?? "")\(change), \(count)\(care(message.alarm))  #\(message.seq)"
        guard style == .coloured else { return printable(line) + "\n" }
        return "\u{1B}[\(colour(severity))m\(printable(line))\u{1B}[0m\n"
    }

    /// Who looks after it.
    private func care(_ alarm: TailMessage.Alarm) -> String {
        let words: [(String, String?)] = [
            ("taken by", alarm.owner), ("offered to", alarm.offeredTo), ("shelved by", alarm.shelvedBy),
            ("planned:", alarm.plannedBy),
        ]
        let known = words.compactMap { word, name in name.map { "\(word) \($0)" } }
        return known.isEmpty ? "" : "  [\(known.joined(separator: ", "))]"
    }

    private var ownerWidth: Int { operators.map { $0.key.count + 1 + $0.value.count }.max() ?? 7 }

    private func json(_ message: TailMessage) -> [UInt8] {
        Array("{\"topic\":\"\(printable(message.topic).filter { $0 != "\"" && $0 != "\\" })\",\"event\":".utf8)
            + oneLine(message.headerText) + Array(",\"alarm\":".utf8) + oneLine(message.document) + Array("}\n".utf8)
    }

    /// Control characters could only be white space between JSON tokens; a line must stay one.
    private func oneLine(_ json: [UInt8]) -> [UInt8] { json.map { $0 < 0x20 ? 0x20 : $0 } }

    /// What is shown cannot steer the terminal.
    private func printable(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }

    private func counted(_ count: Int?, _ word: String) -> String { "\(count ?? 0) \(word)\(count == 1 ? "" : "s")" }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func colour(_ severity: String) -> String {
        switch severity {
        case "critical": "1;37;41"
        case "major": "1;31"
        case "minor": "33"
        case "warning": "36"
        case "cleared": "32"
        default: "90"
        }
    }
}
