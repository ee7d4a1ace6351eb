internal import ExporterSupport
internal import Models
internal import ServiceKit

/// What a request for crowd density asks for, by CAMARA's `PopulationDensityRequest`.
struct DensityRequest {
    /// How long ago it may begin: three months.
    static let oldest: UnixMilliseconds = 93 * 86_400_000
    /// Seven days.
    static let longestPeriod: UnixMilliseconds = 7 * 86_400_000
    static let mostBytes = 262_144
    private static let hour: UnixMilliseconds = 3_600_000
    private static let members = ["area", "startTime", "endTime", "precision", "sink", "sinkCredential"]

    let area: DensityArea
    /// Begins of the hours that cover the period, ascending.
    let hours: [UnixMilliseconds]

    /// - Throws: ``DensityFault`` naming the member.
    init(_ body: [UInt8], now: UnixMilliseconds) throws(DensityFault) {
        guard let value = try? JSONValue(bytes: body), let members = value.object else {
            throw DensityFault(.invalidArgument, nil, "expected a JSON object")
        }
        if let other = members.keys.sorted().first(where: { !Self.members.contains($0) }) {
            throw DensityFault(
                .invalidArgument, String(other.prefix(80)),
                "cannot be given; allowed: \(Self.members.joined(separator: ", "))")
        }
        for name in ["sink", "sinkCredential"] where members[name] != nil {
            throw DensityFault(.invalidSink, name, "answers are given at once only; leave it out")
        }
        hours = try Self.hours(members, now)
        area = try DensityArea(members["area"], precision: members["precision"])
        guard area.cells.count * hours.count <= DensityArea.mostFigures else {
            throw DensityFault(
                .unsupportedRequest, "area",
                "\(area.cells.count) cells in \(hours.count) hours; at most \(DensityArea.mostFigures) figures are given: ask for a smaller area, a shorter time or a lower precision"
            )
        }
    }

    private static func hours(
        _ members: [String: JSONValue], _ now: UnixMilliseconds
    ) throws(DensityFault) -> [UnixMilliseconds] {
        let start = try time(members["startTime"], "startTime"), end = try time(members["endTime"], "endTime")
        guard start <= end else { throw DensityFault(.invalidEnd, "endTime", "is earlier than startTime") }
        guard start <= now else {
            throw DensityFault(.maximumStart, "startTime", "is later than now: nothing is predicted here")
        }
        guard end <= now else {
            throw DensityFault(
                .invalidPeriod, "endTime", "is later than now, and startTime is not: nothing is predicted here")
        }
        guard start >= now - oldest else {
            throw DensityFault(.minimumStart, "startTime", "is more than 93 days ago")
        }
        guard end - start <= longestPeriod else {
            throw DensityFault(.longestPeriod, "endTime", "is more than 7 days after startTime")
        }
        let first = start / hour * hour
        return Array(stride(from: first, to: max(end, first + 1), by: Int(hour)))
    }

    private static func time(_ value: JSONValue?, _ name: String) throws(DensityFault) -> UnixMilliseconds {
        guard let text = value?.string else {
            throw DensityFault(.invalidArgument, name, "expected a time, as 2026-11-28T10:00:00Z")
        }
        if let time = Timestamp.milliseconds(text), time >= 0 { return time }
        throw DensityFault(.invalidArgument, name, "\"\(text.prefix(40))\": expected RFC 3339 with a time zone")
    }
}

/// The cells that somebody asks for, in the order of the request or of their names.
struct DensityArea {
    /// Letters of a cell: 39 km to 150 m.
    static let precisions = 4...7
    /// Cells times hours of an answer.
    static let mostFigures = 10_000
    static let mostCells = 10_000
    static let vertices = 3...15
    static let mostGeohashes = 1_000

    let cells: [Geohash]

    /// - Parameter precision: of a polygon; 7 if not said.
    init(_ value: JSONValue?, precision: JSONValue?) throws(DensityFault) {
        guard let area = value?.object else { throw DensityFault(.invalidArgument, "area", "expected an object") }
        let known = ["areaType", "boundary", "geohashes"]
        if let other = area.keys.sorted().first(where: { !known.contains($0) }) {
            throw DensityFault(.invalidArgument, "area.\(other.prefix(80))", "cannot be given")
        }
        switch area["areaType"]?.string {
        case "POLYGON":
            guard area["geohashes"] == nil else {
                throw DensityFault(.invalidArgument, "area.geohashes", "belongs to areaType GEOHASHLIST")
            }
            cells = try Self.cover(try Self.boundary(area["boundary"]), length: try Self.precision(precision))
        case "GEOHASHLIST":
            guard area["boundary"] == nil else {
                throw DensityFault(.invalidArgument, "area.boundary", "belongs to areaType POLYGON")
            }
            guard precision == nil else {
                throw DensityFault(.invalidArgument, "precision", "belongs to areaType POLYGON: a geohash has its own")
            }
            cells = try Self.list(area["geohashes"])
        default: throw DensityFault(.invalidArgument, "area.areaType", "expected POLYGON or GEOHASHLIST")
        }
    }

    private static func precision(_ value: JSONValue?) throws(DensityFault) -> Int {
        guard let value else { return 7 }
        guard let number = value.integer, Geohash.lengths.contains(Int(clamping: number)) else {
            throw DensityFault(.invalidArgument, "precision", "expected a whole number, 1…12")
        }
        guard precisions.contains(Int(number)) else {
            throw DensityFault(
                .unsupportedPrecision, "precision",
                "\(number): given are \(precisions.lowerBound)…\(precisions.upperBound)")
        }
        return Int(number)
    }

    private static func list(_ value: JSONValue?) throws(DensityFault) -> [Geohash] {
        guard let list = value?.array, (1...mostGeohashes).contains(list.count) else {
            throw DensityFault(.invalidArgument, "area.geohashes", "expected 1…\(mostGeohashes) geohashes")
        }
        var cells: [Geohash] = []
        for (place, item) in list.enumerated() {
            guard let cell = item.string.flatMap({ Geohash(text: $0) }) else {
                throw DensityFault(.invalidArgument, "area.geohashes[\(place)]", "expected a geohash of 1…12 letters")
            }
            guard precisions.contains(cell.length) else {
                throw DensityFault(
                    .unsupportedPrecision, "area.geohashes[\(place)]",
                    "\(cell.length) letters: given are \(precisions.lowerBound)…\(precisions.upperBound)")
            }
            cells.append(cell)
        }
        return cells
    }

    private static func boundary(_ value: JSONValue?) throws(DensityFault) -> [DensityPoint] {
        guard let list = value?.array, vertices.contains(list.count) else {
            throw DensityFault(
                .invalidArea, "area.boundary", "expected \(vertices.lowerBound)…\(vertices.upperBound) points")
        }
        var points: [DensityPoint] = []
        for (place, item) in list.enumerated() {
            let path = "area.boundary[\(place)]"
            guard let members = item.object, Set(members.keys) == ["latitude", "longitude"] else {
                throw DensityFault(.invalidArgument, path, "expected latitude and longitude")
            }
            points.append(
                DensityPoint(
                    latitude: try degrees(members["latitude"], path + ".latitude", 85),
                    longitude: try degrees(members["longitude"], path + ".longitude", 180)))
        }
        guard DensityPolygon(points).isSimple else {
            throw DensityFault(.invalidArea, "area.boundary", "its edges cross or meet: expected a simple polygon")
        }
        return points
    }

    private static func degrees(_ value: JSONValue?, _ path: String, _ most: Double) throws(DensityFault) -> Double {
        let number: Double? =
            switch value {
            case .integer(let whole)?: Double(whole)
            case .number(let number)?: number
            default: nil
            }
        guard let number, abs(number) <= most else {
            throw DensityFault(.invalidArgument, path, "expected degrees, −\(Int(most))…\(Int(most))")
        }
        return number
    }

    /// The cells that a polygon touches.
    private static func cover(_ boundary: [DensityPoint], length: Int) throws(DensityFault) -> [Geohash] {
        let polygon = DensityPolygon(boundary), (width, height) = Geohash.size(length: length)
        let (south, west, north, east) = polygon.bounds
        let columns = Int(((west + 180) / width).rounded(.down))...Int(((east + 180) / width).rounded(.down))
        let rows = Int(((south + 90) / height).rounded(.down))...Int(((north + 90) / height).rounded(.down))
        // Of a long and narrow polygon most of the box is not asked for.
        guard columns.count <= 100_000, rows.count <= 100_000, columns.count * rows.count <= 10 * mostCells else {
            throw tooLarge(length)
        }
        var cells: [Geohash] = []
        for row in rows {
            for column in columns {
                let low = (south: Double(row) * height - 90, west: Double(column) * width - 180)
                guard low.south < 90, low.west < 180,
                    polygon.touches(south: low.south, west: low.west, north: low.south + height, east: low.west + width)
                else { continue }
                cells.append(
                    Geohash(latitude: low.south + height / 2, longitude: low.west + width / 2, length: length))
                guard cells.count <= mostCells else { throw tooLarge(length) }
            }
        }
        return cells
    }

    private static func tooLarge(_ length: Int) -> DensityFault {
        DensityFault(
            .unsupportedRequest, "area.boundary",
            "has more than \(mostCells) cells of \(length) letters: ask for a smaller area or a lower precision")
    }
}
