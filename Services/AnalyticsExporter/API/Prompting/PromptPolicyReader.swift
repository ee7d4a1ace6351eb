internal import Models
internal import QoE
internal import ServiceKit

/// Reads a prompt policy as an operator has written it: every member that is wrong, missing or not known is named.
enum PromptPolicyReader {
    /// - Throws: `ControlError` `bad_argument`, naming `document.<member>`.
    static func read(_ document: JSONValue) throws(ControlError) -> PromptPolicy {
        guard document.object != nil else { throw .argument("document", "is not a JSON object") }
        try checkNumbers(document)
        let policy: PromptPolicy
        let known: JSONValue
        do {
            policy = try document.decoded()
            known = try JSONValue(encoding: policy)
        } catch let error as DecodingError {
            throw fault(error)
        } catch { throw ControlError(error) }
        if let stranger = stranger(in: document, knowing: known, at: "document") {
            throw .argument(stranger, "is no member of a prompt policy")
        }
        do { try policy.check() } catch { throw .argument("document.\(error.field)", error.problem) }
        return policy
    }

    private static func fault(_ error: DecodingError) -> ControlError {
        switch error {
        case .keyNotFound(let key, let context): .argument(path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): .argument(path(context.codingPath), "is missing")
        case .typeMismatch(_, let context), .dataCorrupted(let context):
            .argument(path(context.codingPath), "is of another type than it has to be")
        @unknown default: ControlError(error)
        }
    }

    /// Looks at the numbers first: of a fraction a decoder does not say where it stands.
    private static func checkNumbers(_ document: JSONValue) throws(ControlError) {
        for (field, range) in PromptPolicy.ranges.sorted(by: { $0.key < $1.key }) {
            let value = field.split(separator: ".").reduce(document as JSONValue?) { $0?[String($1)] }
            guard let value, value != .null, value.integer.map(range.contains) != true else { continue }
            throw .argument(
                "document.\(field)", "is not a whole number of \(range.lowerBound)…\(range.upperBound)")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        (["document"] + keys.map(\.stringValue)).joined(separator: ".")
    }

    /// The first member, by name, that the policy does not have; `null` stands for a member that is left out.
    private static func stranger(in document: JSONValue, knowing known: JSONValue, at path: String) -> String? {
        for (name, value) in (document.object ?? [:]).sorted(by: { $0.key < $1.key }) where value != .null {
            guard let own = known[name] else { return "\(path).\(name)" }
            if let found = stranger(in: value, knowing: own, at: "\(path).\(name)") { return found }
        }
        return nil
    }
}
