internal import Foundation
package import QoE
internal import ServiceKit

/// The sampling policy of a file: JSON, as `GET /v1/me/sampling-policy` answers it.
package enum SamplingFile {
    /// Reads a file. A member that the policy does not have is refused, so that no misspelt one is passed over.
    ///
    /// - Throws: ``ServiceError`` naming the file, the member that is wrong and its range.
    package static func read(_ path: String) throws -> SamplingRules {
        func refused(_ problem: String) -> ServiceError {
            ServiceError(.usage, "NKUL_INGEST_SAMPLING: \(path): \(problem)")
        }
        guard let data = FileManager.default.contents(atPath: path) else { throw refused("cannot be read") }
        let rules: SamplingRules
        do { rules = try JSONDecoder().decode(SamplingRules.self, from: data) } catch let error as DecodingError {
            throw refused(problem(error))
        }
        if let stranger = stranger(in: data) { throw refused("\(stranger) is no member of a sampling policy") }
        if let fault = rules.fault { throw refused(fault) }
        return rules
    }

    private static func problem(_ error: DecodingError) -> String {
        func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        return switch error {
        case .keyNotFound(let key, let context): "\(name(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context), .typeMismatch(_, let context):
            context.codingPath.isEmpty ? "is not a JSON object" : "\(name(context.codingPath)) is of another type"
        default: "is not JSON"
        }
    }

    /// The first member that the policy does not have.
    private static func stranger(in data: Data) -> String? {
        let known = Set(SamplingRules.ranges.map(\.field) + ["policy_version"])
        func names(_ object: Any, _ prefix: String) -> [String] {
            guard let members = object as? [String: Any] else { return [String(prefix.dropLast())] }
            return members.keys.sorted().flatMap { names(members[$0]!, prefix + $0 + ".") }
        }
        guard let object = try? JSONSerialization.jsonObject(with: data) else { return nil }
        return names(object, "").first { !known.contains($0) }
    }
}
