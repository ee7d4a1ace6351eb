/// Geometry of rows, as GeoParquet has it.
public enum Geometry {
    /// A rectangle in degrees as well-known binary (OGC 06-103r4, 8.2): a polygon of one ring, counter-clockwise, little-endian.
    public static func rectangle(west: Double, south: Double, east: Double, north: Double) -> [UInt8] {
        var out: [UInt8] = [1]
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { out.append(contentsOf: $0) }
        }
        append(UInt32(3))
        append(UInt32(1))
        append(UInt32(5))
        for (x, y) in [(west, south), (east, south), (east, north), (west, north), (west, south)] {
            append(x.bitPattern)
            append(y.bitPattern)
        }
        return out
    }

    /// The value of key `geo` of a file whose column `geometry` has rectangles in degrees (GeoParquet 1.1.0).
    ///
    /// - Parameter box: around all of them: west, south, east, north; nil where there is none.
    public static func metadata(box: [Double]?) -> String {
        let bounds = box.map { ",\"bbox\":[" + $0.map { String($0) }.joined(separator: ",") + "]" } ?? ""
        return """
            {"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Polygon"],\
            "orientation":"counterclockwise","edges":"planar"\(bounds)}}}
            """
    }
}
