/// A closed list of names with the codes that are stored for them, and what else is understood on input.
public struct Choices: Sendable, Hashable {
    /// Names as they are printed; the code of a name is its place in the list.
    public let names: [String]
    /// Other spellings (upper case) and their codes.
    public let aliases: [String: Int64]
    /// Numbers that other programmes use for a name.
    public let numbers: [Int64: Int64]

    public init(_ names: [String], aliases: [String: String] = [:], numbers: [Int64: String] = [:]) {
        self.names = names
        let codes = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1.uppercased(), Int64($0)) })
        self.aliases = codes.merging(aliases.map { ($0.uppercased(), codes[$1.uppercased()]!) }) { first, _ in first }
        self.numbers = numbers.mapValues { codes[$0.uppercased()]! }
    }

    /// The code of a name in any case, or of one of its other spellings.
    public func code(of name: String) -> Int64? { aliases[name.uppercased()] }

    /// The name of a code, if it is one.
    public func name(of code: Int64) -> String? {
        names.indices.contains(Int(truncatingIfNeeded: code)) ? names[Int(code)] : nil
    }
}
