import Foundation
import Models
import ServiceKit

/// The file of `--faults`: `{"faults":[{"kind":"outage","plmn":"62402","area":{"town":"Douala","radius_km":4},"from":21,"to":22}]}`.
enum FaultScript {
    private struct File: Decodable {
        let faults: [FaultEntry]
    }

    private static let keys: Set<String> = [
        "kind", "plmn", "area", "from", "to", "load", "devices", "drift_seconds_per_hour", "rating",
    ]

    /// - Throws: ``ServiceError`` (usage) naming file, fault (counted from 1) and field.
    static func read(_ path: String, _ map: SimulatedMap, start: UnixMilliseconds) throws -> [SimulatedFault] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServiceError(.usage, "\(path): cannot read it")
        }
        return try faults(data, map, start: start, name: path)
    }

    static func faults(_ data: Data, _ map: SimulatedMap, start: UnixMilliseconds, name: String) throws
        -> [SimulatedFault]
    {
        try refuseUnknownKeys(data, name)
        let file: File
        do { file = try JSONDecoder().decode(File.self, from: data) } catch {
            throw ServiceError(.usage, "\(name): \(words(error))")
        }
        return try file.faults.enumerated().map { index, entry in
            do { return try entry.fault(map, start: start) } catch let error as ServiceError {
                throw ServiceError(.usage, "\(name): fault \(index + 1): \(error.message)")
            }
        }
    }

    /// A key that is misspelt must not go unnoticed.
    private static func refuseUnknownKeys(_ data: Data, _ name: String) throws {
        guard let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let faults = file["faults"] as? [[String: Any]]
        else { throw ServiceError(.usage, "\(name): expected {\"faults\": [{…}, …]}") }
        for (index, fault) in faults.enumerated() {
            for key in fault.keys.sorted() where !keys.contains(key) {
                throw ServiceError(
                    .usage, "\(name): fault \(index + 1): \(key): not one of \(keys.sorted().joined(separator: ", "))")
            }
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context.codingPath))\(key.stringValue): missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(place(context.codingPath))not of the right type"
        default: "not JSON as expected"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.map { key in key.intValue.map { "fault \($0 + 1)" } ?? key.stringValue }
            .filter { $0 != "faults" }.map { "\($0): " }.joined()
    }
}
