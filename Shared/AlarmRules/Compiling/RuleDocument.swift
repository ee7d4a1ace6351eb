internal import Foundation
public import Models

/// The JSON of a rule, of a version that this build reads, as far as it can be told without knowing programmes.
public struct RuleDocument: Sendable {
    /// Of documents; readers refuse another.
    public static let version = 1
    /// Bytes of a document.
    public static let mostBytes = 65_536

    package let members: [String: RuleValue]

    /// - Throws: ``DocumentRefusal`` if the bytes are no JSON object.
    public init(bytes: [UInt8]) throws(DocumentRefusal) {
        guard bytes.count <= Self.mostBytes else {
            throw DocumentRefusal(
                [DocumentProblem("", "has \(bytes.count) bytes", allowed: "at most \(Self.mostBytes)")])
        }
        guard let value = try? JSONDecoder().decode(RuleValue.self, from: Data(bytes)),
            case .object(let members) = value
        else { throw DocumentRefusal([DocumentProblem("", "is not a JSON object", allowed: "a rule")]) }
        self.members = members
    }
}
