/// One element of `items`: where and when, and what was heard there. Points into the element's bytes.
///
/// What the format says: https://ichnaea.readthedocs.io/en/latest/api/geosubmit2.html
struct GeosubmitItem {
    private typealias Malformed = JSONCursor.Malformed

    private var cursor: JSONCursor
    private var timestamp: Range<Int>?
    private var latitude: Range<Int>?
    private var longitude: Range<Int>?
    private var accuracy: Range<Int>?
    private var speed: Range<Int>?
    private var isFromSatellites = false
    private var towers: Range<Int>?

    /// Reads all but the cells, and counts what is left out.
    ///
    /// - Throws: `JSONCursor.Malformed` if it is no object or not JSON; then nothing was counted.
    init(_ bytes: UnsafeRawBufferPointer, _ tally: inout GeosubmitTally) throws(JSONCursor.Malformed) {
        cursor = JSONCursor(bytes)
        var cursor = cursor, item = self, left = tally
        try cursor.members { name, value throws(Malformed) in
            switch JSONToken(name) {
            case "timestamp": item.timestamp = try value.skip()
            case "position": try item.readPosition(&value)
            case "cellTowers": item.towers = try value.skip()
            case "wifiAccessPoints": left[.wifi] += try Self.count(&value)
            case "bluetoothBeacons": left[.bluetooth] += try Self.count(&value)
            default: try value.skip()
            }
        }
        try cursor.finish()
        self = item
        tally = left
    }

    /// Writes a record for each serving cell behind those that are there, as `POST /v1/reports` takes them.
    ///
    /// - Throws: `JSONCursor.Malformed` if a cell is no object; then nothing was written or counted.
    func write(to rows: inout [UInt8], _ tally: inout GeosubmitTally) throws(JSONCursor.Malformed) {
        let start = rows.count
        var left = tally
        do throws(Malformed) {
            if let towers, cursor.slice(towers).first == UInt8(ascii: "[") {
                var list = JSONCursor(cursor.slice(towers))
                try list.elements { tower throws(Malformed) in
                    let cell = try GeosubmitCell(cursor.slice(towers), at: try tower.skip())
                    guard cell.isServing else { return left[.neighbour] += 1 }
                    left[.report] += 1
                    self.write(cell, to: &rows)
                }
            }
        } catch {
            rows.removeSubrange(start...)
            throw error
        }
        if left[.report] == tally[.report] { left[.withoutServingCell] += 1 }
        tally = left
    }

    private func write(_ cell: GeosubmitCell, to rows: inout [UInt8]) {
        rows.append(
            contentsOf: (rows.count > 1 ? ",{\"plmn_source\":\"network\"" : "{\"plmn_source\":\"network\"").utf8)
        for (name, value) in [
            ("captured_at_ms", timestamp), ("latitude", latitude), ("longitude", longitude),
            ("accuracy_m", accuracy), ("speed_mps", speed),
        ] { rows.append(name, value.map(cursor.slice)) }
        if isFromSatellites { rows.append(contentsOf: ",\"location_source\":\"gps\"".utf8) }
        cell.write(to: &rows)
        rows.append(UInt8(ascii: "}"))
    }

    private mutating func readPosition(_ value: inout JSONCursor) throws(JSONCursor.Malformed) {
        guard try value.peek() == UInt8(ascii: "{") else {
            try value.skip()
            return
        }
        var item = self
        try value.members { name, value throws(Malformed) in
            let place = try value.skip()
            switch JSONToken(name) {
            case "latitude": item.latitude = place
            case "longitude": item.longitude = place
            case "accuracy": item.accuracy = place
            case "speed": item.speed = place
            // "fused" and "manual" say nothing of how it was found.
            case "source": item.isFromSatellites = JSONToken(item.cursor.slice(place)).is("\"gps\"")
            default: break
            }
        }
        self = item
    }

    /// How many elements an array has; nothing of them is read.
    private static func count(_ value: inout JSONCursor) throws(JSONCursor.Malformed) -> Int {
        guard try value.peek() == UInt8(ascii: "[") else {
            try value.skip()
            return 0
        }
        var count = 0
        try value.elements { element throws(Malformed) in
            try element.skip()
            count += 1
        }
        return count
    }
}

extension [UInt8] {
    /// Bytes of a value that is copied; longer ones are no field's.
    private static let mostValueBytes = 64

    /// Writes a member behind others, unless its value is missing or null. What no field can be is written as an empty array,
    /// which is left out and told as any value of a wrong type.
    mutating func append(_ name: String, _ value: UnsafeRawBufferPointer?) {
        guard let value, let first = value.first, first != UInt8(ascii: "n") else { return }
        append(contentsOf: ",\"\(name)\":".utf8)
        let isScalar = first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
        if isScalar, value.count <= Self.mostValueBytes {
            append(contentsOf: value)
        } else {
            append(contentsOf: "[]".utf8)
        }
    }
}
