internal import Models
internal import ServiceKit
internal import Statistics

/// Writes what is published of one sum of cells, by the names of the heat map; what is not known is null.
enum FigureDocument {
    /// A value of stored units in its own unit.
    static func number(_ value: Int64, scale: Int64) -> JSONValue {
        value % scale == 0 ? .integer(value / scale) : .number(Double(value) / Double(scale))
    }

    /// Rounded to a ten-thousandth.
    static func rounded(_ value: Double) -> JSONValue { .number((value * 10_000).rounded() / 10_000) }

    static func interval(_ interval: ClosedRange<Int64>?, scale: Int64) -> JSONValue {
        interval.map { [number($0.lowerBound, scale: scale), number($0.upperBound, scale: scale)] } ?? .null
    }

    /// The members that an answer has once, about the metric.
    static func head(_ choice: MetricChoice) -> [String: JSONValue] {
        let below = choice.figures.below.map { choice.values.values(of: $0...$0).lowerBound }
        return [
            "metric": .string(choice.metric.name), "unit": .string(choice.field?.unit ?? ""),
            "quantile": .number(Double(choice.figures.permille) / 1_000),
            "below": below.map { number($0, scale: choice.scale) } ?? .null, "method": "cells-1", "notes": notes,
        ]
    }

    /// The members of one sum.
    ///
    /// - Parameter figures: nil: no cell was there.
    static func members(_ figures: CellFigures?, _ choice: MetricChoice) -> [String: JSONValue] {
        let shown = figures.flatMap { $0.samples > 0 ? $0 : nil }
        let value = { (permille: Int) -> JSONValue in
            shown?.quantile(permille: permille).map { number(choice.values.value(of: $0), scale: choice.scale) }
                ?? .null
        }
        var members: [String: JSONValue] = [
            "n": shown.map { .integer($0.samples) } ?? .null,
            "devices": shown?.devices.map { .integer($0) } ?? .null,
            "devices_at_least": shown.map { .integer($0.devicesAtLeast) } ?? .null,
            "effective_devices": shown?.effectiveDevices.map { .number(($0 * 100).rounded(.down) / 100) } ?? .null,
            "method": shown.map { .string($0.method.rawValue) } ?? .null,
            "state": .string((shown?.state ?? .no_data).rawValue), "value": value(choice.figures.permille),
            "p10": value(100), "p50": value(500), "p90": value(900),
            "interval": interval(shown.flatMap { interval(of: $0, choice) }, scale: choice.scale),
        ]
        if let below = choice.figures.below {
            let share = shown?.share(below: below)
            members["below"] = share.map { rounded($0) } ?? .null
            members["below_interval"] =
                share.flatMap { shown?.interval(ofShare: $0) }.map {
                    [rounded($0.lowerBound), rounded($0.upperBound)]
                } ?? .null
        }
        return members
    }

    /// The interval of the quantile that is asked for, in stored units; nil if it is not known.
    static func interval(of figures: CellFigures, _ choice: MetricChoice) -> ClosedRange<Int64>? {
        figures.interval(permille: choice.figures.permille).map { choice.values.values(of: $0) }
    }

    private static let notes: JSONValue = [
        "value": "the quantile that is asked for; as of the heat map, whose notes hold here, too",
        "n": "values of the metric; an operator's are those of subscribers who share with operators, a regulator's all",
        "interval":
            .string(
                "95 %: by order statistics of effective_devices; null where these are under \(OrderInterval.fewest) or not known"
            ),
        "below":
            "of the values, the share below the threshold, which is moved down to the begin of its bin; below_interval by Wilson",
        "state":
            "no_data: there is no value, and nothing is 0; dominated, low_density: too few devices to speak for the place; ok",
    ]
}
