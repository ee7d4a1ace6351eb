import Foundation
import ServiceKit

/// The columns of a file that is imported. Names are compared without blanks around them and in any case.
struct ImportHeader: Sendable, Equatable {
    /// As the file has them, without blanks around them; without empty ones at the end.
    let names: [String]
    private let places: [String: Int]
    private let twice: [String: Int]

    /// - Parameter renamed: by ``folded(_:)`` name of the file: what it is called instead (`--columns`).
    init(_ cells: [String], renamed: [String: String] = [:]) {
        let trimmed = cells.map { $0.trimmingCharacters(in: .whitespaces) }
        names = Array(trimmed.reversed().drop { $0.isEmpty }.reversed())
        var places: [String: Int] = [:], twice: [String: Int] = [:]
        for (place, name) in names.enumerated() where !name.isEmpty {
            let called = Self.folded(renamed[Self.folded(name)] ?? name)
            if places[called] == nil { places[called] = place } else { twice[called] = place }
        }
        self.places = places
        self.twice = twice
    }

    /// The place of a column; nil if the file does not have it.
    subscript(name: String) -> Int? { places[Self.folded(name)] }

    /// The place of the first of several columns that the file has.
    func place(ofFirst names: [String]) -> Int? { names.lazy.compactMap { self[$0] }.first }

    func contains(_ names: [String]) -> Bool { names.allSatisfy { self[$0] != nil } }

    /// The columns by what they are called, ascending by place.
    var columns: [(name: String, place: Int)] { places.map { ($0.key, $0.value) }.sorted { $0.place < $1.place } }

    /// Refuses a header in which a column that is used stands twice: nobody knows which of the two is meant.
    ///
    /// - Parameter isUsed: of a name in lower case.
    func refuseDuplicates(_ path: String, line: Int, isUsed: (String) -> Bool) throws {
        guard let name = twice.keys.sorted().first(where: isUsed) else { return }
        throw RecordingError(path, line: line, "the header has column \(name) twice; which one is meant?")
    }

    static func folded(_ name: String) -> String { name.trimmingCharacters(in: .whitespaces).lowercased() }
}

/// What `--columns` says: names of a file's columns and the columns of the device API they are.
struct ColumnMapping: Sendable, Equatable {
    /// By name of the file, in lower case.
    private(set) var renamed: [String: String] = [:]

    init() {}

    /// Reads `lat=latitude,lon=longitude`.
    ///
    /// - Parameter columns: those of the device API.
    /// - Throws: `ServiceError` of code `usage` naming what is not understood.
    init(_ text: String, columns: [String]) throws {
        for pair in text.split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2, !sides[0].isEmpty else {
                throw ServiceError(.usage, "--columns: \"\(pair)\" is not FILE'S NAME=COLUMN, e.g. lat=latitude")
            }
            guard columns.contains(sides[1].lowercased()) else { throw Self.unknown(sides[1], columns) }
            guard renamed.updateValue(sides[1].lowercased(), forKey: ImportHeader.folded(sides[0])) == nil else {
                throw ServiceError(.usage, "--columns: \(sides[0]) stands twice")
            }
        }
        guard !renamed.isEmpty else {
            throw ServiceError(.usage, "--columns: expected e.g. lat=latitude,lon=longitude")
        }
    }

    /// Refuses a mapping of columns that a file does not have.
    func check(_ cells: [String], _ path: String) throws {
        let names = Set(cells.map(ImportHeader.folded))
        guard let missing = renamed.keys.sorted().first(where: { !names.contains($0) }) else { return }
        let nearest = EditDistance.nearest(to: missing, in: names.sorted()).map { "; did you mean \($0)?" }
        throw RecordingError(
            path,
            "--columns: there is no column \(missing)"
                + (nearest ?? "; there are \(cells.joined(separator: ", "))"))
    }

    private static func unknown(_ name: String, _ columns: [String]) -> ServiceError {
        let nearest = EditDistance.nearest(to: name.lowercased(), in: columns)
        let advice = nearest.map { "did you mean \($0)?" } ?? "there are \(columns.joined(separator: ", "))"
        return ServiceError(.usage, "--columns: \"\(name)\" is not a column of the device API; \(advice)")
    }
}
