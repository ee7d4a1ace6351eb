public import Models

/// The canonical text of a release, of which the SHA-256 is told: lines of JSON, the head first, then its atoms in the order of metric,
/// hour, technology and cell. The same release is always the same bytes.
public struct ReleaseText: Sendable {
    private let programme: Programme
    /// When the hours of the release begin, Unix milliseconds; nil where atoms have none.
    private let begin: UnixMilliseconds?
    private let metrics: [UInt8: (name: String, scale: Int64, bins: BinTable)]

    /// - Parameter programme: that of the release, as `head` names it.
    public init(_ head: ReleaseHead, _ programme: Programme) {
        self.programme = programme
        begin = head.releaseClass == ReleaseClass.technology.name ? head.fromMs : nil
        metrics = Dictionary(
            uniqueKeysWithValues: programme.metrics.map {
                ($0.number, ($0.name, programme.field(of: $0)?.scale ?? 1, $0.bins))
            })
    }

    /// The first line.
    public static func line(of head: ReleaseHead) throws -> [UInt8] { try SortedJSON.bytes(of: head) + [10] }

    /// The line of an atom; nil if its metric is none of the programme.
    public func line(of atom: ReleasedAtom) -> [UInt8]? {
        guard let metric = metrics[atom.metric] else { return nil }
        let figures = atom.figures
        var out = JSONWriter()
        out.raw(
            "{\"devices\":\(Self.band(figures.devices)),\"devices_effective\":\(Self.band(figures.effectiveDevices))")
        if let begin { out.raw(",\"hour_ms\":\(begin + Int64(atom.hour) * 3_600_000)") }
        let mean = figures.meanHundredths.map { Self.decimal($0, scale: 100 * metric.scale) } ?? "null"
        out.raw(",\"mean\":\(mean),\"metric\":")
        out.string(metric.name)
        out.raw(",\"quadkey\":")
        if let cell = atom.cell { out.string(cell.text) } else { out.raw("null") }
        out.raw(",\"samples\":\(Self.band(figures.samples)),\"steps\":[")
        for (place, step) in figures.steps.enumerated() {
            let value = metric.bins.values(in: step.bin).upperBound
            out.raw("\(place > 0 ? "," : "")[\(Self.decimal(value, scale: metric.scale)),\(step.percent)]")
        }
        out.raw("]")
        if begin != nil {
            out.raw(",\"technology\":")
            out.string(programme.strata.name(atom.stratum))
        }
        out.raw("}\n")
        return out.bytes
    }

    private static func band(_ count: Int64) -> String {
        let band = CountBand.of(max(count, 1))
        return "[\(band.lowerBound),\(band.upperBound)]"
    }

    /// `value / scale` in decimal without zeros at the end.
    ///
    /// - Parameter scale: a power of ten.
    static func decimal(_ value: Int64, scale: Int64) -> String {
        var digits = String(value.magnitude % UInt64(scale) + UInt64(scale)).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return (value < 0 ? "-" : "") + String(value.magnitude / UInt64(scale)) + (digits.isEmpty ? "" : "." + digits)
    }
}
