internal import ExporterSupport
internal import Foundation
internal import Models
package import ServiceKit

/// The regions and towns that figures can be asked for, from a file: a JSON object with `version` 1, `source`, and `regions`, each
/// with `id`, `kind`, `english`, `french`, `boundary` and the quadkeys of its `cells`.
package struct RegionTable: Sendable {
    /// Most regions of a file.
    static let mostRegions = 1_000
    /// A file of more bytes is refused.
    static let mostBytes = 4_000_000
    /// Finer cells would leave out positions that are not that certain.
    static let levels = Quadkey.coarsestLevel...14

    /// Where the boundaries are from.
    let source: String
    /// In the order of the file.
    let regions: [Region]
    /// By every folded name.
    private let byName: [String: Int]

    /// No region at all.
    package static let none = RegionTable(source: "", regions: [], byName: [:])

    private init(source: String, regions: [Region], byName: [String: Int]) {
        self.source = source
        self.regions = regions
        self.byName = byName
    }

    /// The region of a name in English or French, or of an identifier.
    func region(named name: String) throws(ParameterFault) -> Region {
        guard let index = byName[Region.folded(name)] else {
            let known = regions.filter { $0.kind == "region" }.map(\.id).joined(separator: ", ")
            throw ParameterFault(
                "region", "\"\(name)\": no such region or town; GET /v1/regions lists them, among them \(known)")
        }
        return regions[index]
    }
}

extension RegionTable {
    private struct File: Decodable {
        struct Entry: Decodable {
            let id, kind, english, french, boundary: String
            let cells: [String]
        }

        let version: Int
        let source: String
        let regions: [Entry]
    }

    /// Reads and checks a file.
    ///
    /// - Throws: `ServiceError` naming file, region and what is wrong.
    package init(path: String) throws(ServiceError) {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw ServiceError(.usage, "NKUL_REGIONS: cannot read \(path): \(error.localizedDescription)")
        }
        try self.init(data, name: path)
    }

    /// - Parameter name: of the file, for errors.
    init(_ data: Data, name: String) throws(ServiceError) {
        let fault = { (text: String) in ServiceError(.usage, "NKUL_REGIONS: \(name): \(text)") }
        guard data.count <= Self.mostBytes else { throw fault("more than \(Self.mostBytes) bytes") }
        let file: File
        do { file = try JSONDecoder().decode(File.self, from: data) } catch {
            throw fault("not a file of regions: \(error)")
        }
        guard file.version == 1 else { throw fault("version \(file.version); this program reads version 1") }
        guard file.regions.count <= Self.mostRegions else { throw fault("more than \(Self.mostRegions) regions") }
        var regions: [Region] = [], byName: [String: Int] = [:]
        for entry in file.regions {
            let region: Region
            do throws(RegionFault) { region = try Self.region(entry) } catch {
                throw fault("\(entry.id): \(error.text)")
            }
            for name in Set(region.names.map(Region.folded)) {
                if let other = byName.updateValue(regions.count, forKey: name) {
                    throw fault("\(entry.id): \(regions[other].id) has the name \(name), too")
                }
            }
            regions.append(region)
        }
        self.init(source: file.source, regions: regions, byName: byName)
    }

    private struct RegionFault: Error { let text: String }

    private static func region(_ entry: File.Entry) throws(RegionFault) -> Region {
        guard (1...40).contains(entry.id.utf8.count), entry.id == Region.folded(entry.id),
            entry.id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw RegionFault(text: "an id has 1 to 40 lower-case letters, digits and hyphens") }
        guard ["region", "town"].contains(entry.kind) else { throw RegionFault(text: "kind is region or town") }
        guard !entry.english.isEmpty, !entry.french.isEmpty, !entry.boundary.isEmpty else {
            throw RegionFault(text: "english, french and boundary must not be empty")
        }
        guard (1...CellArea.mostCells).contains(entry.cells.count) else {
            throw RegionFault(text: "\(entry.cells.count) cells; 1 to \(CellArea.mostCells) are allowed")
        }
        let texts = entry.cells.sorted()
        for (cell, next) in zip(texts, texts.dropFirst()) where next.hasPrefix(cell) {
            throw RegionFault(text: "cell \(next) is inside \(cell)")
        }
        let cells = texts.compactMap { Quadkey(text: $0) }.filter { levels.contains($0.level) }
        guard cells.count == texts.count else {
            throw RegionFault(
                text: "a cell is a quadkey of \(levels.lowerBound) to \(levels.upperBound) digits 0 to 3")
        }
        return Region(
            id: entry.id, kind: entry.kind, english: entry.english, french: entry.french, boundary: entry.boundary,
            cells: cells)
    }
}
