internal import Models
internal import ServiceKit
internal import Statistics

/// Writes a relation.
enum RelationDocument {
    static func members(
        _ query: RelationQuery, _ relation: MonotoneRelation, withoutX: Int
    ) -> [String: JSONValue] {
        let unit = query.selection.cells.programme.field(of: query.x)?.unit ?? ""
        return [
            "x": ["metric": .string(query.x.name), "unit": .string(unit)], "y": ["metric": .string(query.y.name)],
            "finding": .string(relation.finding.rawValue), "pairs": .integer(Int64(relation.pairs)),
            "devices": .integer(Int64(relation.devices)), "ratings_without_x": .integer(Int64(withoutX)),
            "strength": relation.strength.map(FigureDocument.rounded) ?? .null,
            "strength_interval": interval(relation.interval),
            // Where nothing was found a curve would be read as if there were something.
            "curve": .array(relation.finding == .found ? relation.curve.map(point) : []),
            "method": "relation-1", "notes": notes,
        ]
    }

    private static func point(_ point: MonotoneRelation.Point) -> JSONValue {
        [
            "x_from": FigureDocument.rounded(point.x.lowerBound), "x_to": FigureDocument.rounded(point.x.upperBound),
            "n": .integer(Int64(point.pairs)), "devices": .integer(Int64(point.devices)),
            "value": FigureDocument.rounded(point.fit), "interval": interval(point.interval),
        ]
    }

    private static func interval(_ interval: ClosedRange<Double>?) -> JSONValue {
        interval.map { [FigureDocument.rounded($0.lowerBound), FigureDocument.rounded($0.upperBound)] } ?? .null
    }

    private static let notes: JSONValue = [
        "pairs":
            "ratings that were sent together with x in one record, of the network of the SIM; an operator's are those of subscribers who share with operators, a regulator's all",
        "strength":
            "Spearman's rank correlation, positive if better x goes with better ratings; no device counts for more than a fifth",
        "strength_interval":
            .string(
                "95 %, by \(MonotoneRelation.resamples) bootstrap samples of devices with a fixed seed"),
        "finding":
            .string(
                "found: the interval lies above 0; none_found: it holds 0 or lies below; insufficient: fewer than \(MonotoneRelation.fewestDevices) devices, or all values are the same"
            ),
        "curve":
            "the isotonic fit of mean ratings in at most ten parts of x with as many pairs each; empty unless something was found",
    ]
}
