internal import ExporterSupport
internal import Models
internal import ServiceKit

/// Where figures are asked for: in a region or town, a box, a cell, or everywhere.
enum FigurePlace: Sendable {
    /// What has no place counts, too.
    case everywhere
    case region(Region)
    case box(BoundingBox, level: Int)
    case cell(Quadkey)

    /// Names of the parameters, of which at most one may be given.
    static let parameters = ["region", "quadkey"]

    /// - Parameters:
    ///   - cells: has read `bbox` and `level`.
    ///   - regions: that may be named.
    init(
        _ parameters: QueryParameters, _ cells: CellSelection, _ regions: RegionTable
    ) throws(ParameterFault) {
        let given = ["region", "bbox", "quadkey"].filter { parameters.text($0) != nil }
        if given.count > 1 {
            throw ParameterFault(given[1], "given together with \(given[0]); give one of region, bbox, quadkey")
        }
        if parameters.text("level") != nil, cells.givenBox == nil {
            throw ParameterFault(
                "level", "given without bbox; a region, a quadkey and everywhere have their own levels")
        }
        if let name = parameters.text("region") {
            self = .region(try regions.region(named: name))
        } else if let text = parameters.text("quadkey") {
            let levels = Quadkey.coarsestLevel...cells.programme.finestLevel
            guard let cell = Quadkey(text: text), levels.contains(cell.level) else {
                throw ParameterFault(
                    "quadkey", "\"\(text)\": expected \(levels.lowerBound) to \(levels.upperBound) digits 0 to 3")
            }
            self = .cell(cell)
        } else if let box = cells.givenBox {
            let finest = cells.programme.finestLevel
            self = .box(
                box, level: parameters.text("level") == nil ? CellArea.level(for: box, finest: finest) : cells.level)
        } else {
            self = .everywhere
        }
    }

    /// The stored cells that are it.
    var area: CellArea {
        get throws(ParameterFault) {
            switch self {
            case .everywhere: .everything
            case .region(let region): CellArea(region.cells)
            case .box(let box, let level): try CellArea(box, level: level)
            case .cell(let cell): CellArea([cell])
            }
        }
    }

    /// What an answer says of it.
    var value: JSONValue {
        switch self {
        case .everywhere: ["kind": "everywhere"]
        case .region(let region):
            [
                "kind": .string(region.kind), "id": .string(region.id), "english": .string(region.english),
                "french": .string(region.french), "boundary": .string(region.boundary),
            ]
        case .box(_, let level): ["kind": "bbox", "level": .integer(Int64(level))]
        case .cell(let cell): ["kind": "quadkey", "quadkey": .string(cell.text)]
        }
    }
}
