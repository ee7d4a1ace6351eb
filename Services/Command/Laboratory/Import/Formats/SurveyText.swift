/// What a subscriber wrote, as a comment of the device API: at most 50 characters as a person counts them.
enum SurveyText {
    static let limit = 50

    /// The text without control characters and outer spaces; cut after the last whole item (`;` between them) that fits.
    static func comment(_ text: String, _ ledger: inout ImportLedger) -> String? {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        if scalars.count != text.unicodeScalars.count { ledger.note(.controlCharacter, "in a comment") }
        let words = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
        if words != String(String.UnicodeScalarView(scalars)) { ledger.note(.untrimmed, text) }
        guard !words.isEmpty else { return nil }
        guard words.count > limit else { return words }
        ledger.note(.longText, text)
        return cut(words)
    }

    private static func cut(_ words: String) -> String {
        var kept = ""
        for item in words.split(separator: ";") {
            let longer = kept.isEmpty ? String(item) : "\(kept);\(item)"
            guard longer.count <= limit else { break }
            kept = longer
        }
        return kept.isEmpty ? String(words.prefix(limit)) : kept
    }
}
