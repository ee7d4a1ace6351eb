internal import ExporterScores
internal import ServiceKit

/// Writes what a score was made of.
enum ScoreDocument {
    static func part(_ part: Score.Part, _ method: ScoreProfile.Method) -> JSONValue {
        [
            "id": .string(part.id), "points": part.points.map(FigureDocument.rounded) ?? .null,
            "items": .array(part.items.map { item($0, method) }), "missing": .array(part.missing.map { .string($0) }),
        ]
    }

    private static func item(_ item: Score.Item, _ method: ScoreProfile.Method) -> JSONValue {
        [
            "id": .string(item.item.id), "metric": item.item.indicator.map { .string($0.metric) } ?? .null,
            "statistic": item.item.indicator.map { .string($0.statisticName) } ?? .null,
            "value": FigureDocument.rounded(item.measured.value), "n": .integer(item.measured.count),
            "weight": method == .weighted ? FigureDocument.rounded(item.item.weight) : .null,
            "share": item.share.map(FigureDocument.rounded) ?? .null,
            "points": item.points.map(FigureDocument.rounded) ?? .null,
        ]
    }
}
