/// A closed list of names with the codes that are stored for them, and what else is understood on input.
///
/// Names are compared by what counts of them (`folded(_:)`): `5G NSA`, `5g-nsa` and `5G_NSA` are one name.
public struct Choices: Sendable, Hashable {
    /// Names as they are printed; the code of a name is its place in the list.
    public let names: [String]
    /// Names and other spellings (upper case) and their codes.
    public let aliases: [String: Int64]
    /// Numbers that other programmes use for a name.
    public let numbers: [Int64: Int64]
    /// Codes by what counts of names and other spellings.
    private let codes: [String: Int64]

    public init(_ names: [String], aliases: [String: String] = [:], numbers: [Int64: String] = [:]) {
        self.names = names
        let codes = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1.uppercased(), Int64($0)) })
        self.aliases = codes.merging(aliases.map { ($0.uppercased(), codes[$1.uppercased()]!) }) { first, _ in first }
        self.numbers = numbers.mapValues { codes[$0.uppercased()]! }
        self.codes = Dictionary(
            self.aliases.map { (Self.folded($0), $1) }.filter { !$0.0.isEmpty },
            uniquingKeysWith: { first, second in
                precondition(first == second, "two names look alike")
                return first
            })
    }

    /// The code of a name in any case, or of one of its other spellings.
    public func code(of name: String) -> Int64? { codes[Self.folded(name)] }

    /// The name of a code, if it is one.
    public func name(of code: Int64) -> String? {
        names.indices.contains(Int(truncatingIfNeeded: code)) ? names[Int(code)] : nil
    }

    /// What counts of a name: of ASCII letters in upper case, digits and plus signs, and all that is not ASCII.
    static func folded(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.uppercased().unicodeScalars.filter { scalar in
                    !scalar.isASCII || scalar == "+" || scalar.properties.isAlphabetic
                        || scalar.properties.numericType != nil
                }))
    }
}
