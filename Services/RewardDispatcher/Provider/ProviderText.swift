/// Free words of a provider or of a person who writes results, as they may stand in books and logs: they may name whom a payment
/// is about.
enum ProviderText {
    /// Longer texts are cut.
    static let mostCharacters = 100
    /// More digits may be somebody's number: those of Cameroon have nine.
    private static let mostDigits = 7

    /// The text on one line, with what may be a phone number replaced by `…`, whatever stands between its digits.
    static func masked(_ text: String) -> String {
        var masked = "", run = "", digits = 0
        for character in text.prefix(4 * mostCharacters) {
            if character.isWholeNumber {
                run.append(character)
                digits += 1
            } else if digits > 0, " -.()/\u{A0}\u{202F}".contains(character) {
                run.append(character)
            } else {
                masked += shown(run, digits)
                (run, digits) = ("", 0)
                masked.append(character.isASCII && character.asciiValue! < 32 || character.isNewline ? " " : character)
            }
        }
        return String((masked + shown(run, digits)).prefix(mostCharacters))
    }

    private static func shown(_ run: String, _ digits: Int) -> String {
        guard digits > mostDigits else { return run }
        // What followed the last digit is no part of the number.
        return "…" + String(run.reversed().prefix { !$0.isWholeNumber }.reversed())
    }
}

extension ProviderAnswer {
    /// With its free words masked; names of orders stay, as the provider is asked by them.
    var masked: ProviderAnswer {
        switch self {
        case .reversed(let words): .reversed(ProviderText.masked(words))
        case .rejected(let words): .rejected(ProviderText.masked(words))
        case .failed(let words): .failed(ProviderText.masked(words))
        case .notTaken(let words): .notTaken(ProviderText.masked(words))
        case .unfunded(let words, let isReferenceUsed):
            .unfunded(ProviderText.masked(words), isReferenceUsed: isReferenceUsed)
        case .silent(let words): .silent(ProviderText.masked(words))
        case .unknown(let words): .unknown(ProviderText.masked(words))
        case .confirmed, .notFound, .processing, .accepted: self
        }
    }
}
