internal import Models
internal import Releases
internal import ServiceKit
internal import Statistics

/// Writes what was released of one place and time; what is not known is null.
enum ReleasedDocument {
    /// The members of one sum.
    static func members(_ figures: ReleasedFigures?, _ choice: MetricChoice) -> [String: JSONValue] {
        let figures = figures ?? ReleasedFigures(), sum = figures.sum
        let quantile = sum.quantile(permille: choice.figures.permille)
        let interval = sum.interval(permille: choice.figures.permille), effective = sum.effectiveDevices
        var members: [String: JSONValue] = [
            "partial": .bool(figures.isPartial),
            "n_at_least": sum.isEmpty ? .null : .integer(sum.samplesAtLeast),
            "devices_at_least": sum.isEmpty ? .null : .integer(sum.devicesAtLeast),
            "effective_devices": sum.isEmpty ? .null : .number((effective * 100).rounded(.down) / 100),
            "state": .string(state(sum).rawValue),
            "value": quantile.estimate.map { FigureDocument.number(choice.values.value(of: $0), scale: choice.scale) }
                ?? .null,
            "between": range(quantile.from, quantile.upTo, choice),
            "interval": range(interval.from, interval.upTo, choice),
        ]
        if let threshold = choice.figures.below {
            let share = sum.share(upTo: threshold - 1)
            members["below"] = share.map { FigureDocument.rounded($0.estimate) } ?? .null
            members["below_between"] =
                share.map {
                    [FigureDocument.rounded($0.bounds.lowerBound), FigureDocument.rounded($0.bounds.upperBound)]
                }
                ?? .null
            members["below_interval"] =
                sum.interval(ofShareBelow: threshold).map {
                    [FigureDocument.rounded($0.lowerBound), FigureDocument.rounded($0.upperBound)]
                } ?? .null
        }
        return members
    }

    /// The members that an answer has once.
    static func head(_ query: ReleasedQuery, from: Int64, to: Int64) -> [String: JSONValue] {
        var head = FigureDocument.head(query.choice)
        head["programme"] = .string(query.cells.programme.name)
        head["place"] = query.place.value
        head["release"] = .string(query.kind.name)
        head["method"] = "atoms-1"
        head["notes"] = notes
        head["from_ms"] = .integer(from * 1_000)
        head["to_ms"] = .integer(to * 1_000)
        head["technology"] =
            query.cells.stratum.map { .string(query.cells.programme.strata.name($0)) } ?? .null
        return head
    }

    /// The interval of the quantile that is asked for, in stored units, if it has two ends.
    static func interval(_ figures: ReleasedFigures?, _ choice: MetricChoice) -> ClosedRange<Int64>? {
        guard let sum = figures?.sum, state(sum) == .ok,
            case let ends = sum.interval(permille: choice.figures.permille),
            let from = ends.from, let upTo = ends.upTo
        else { return nil }
        return choice.values.values(of: from...max(from, upTo))
    }

    static func state(_ sum: ReleasedSum) -> CellFigures.State {
        if sum.isEmpty { return .no_data }
        return sum.effectiveDevices < Double(OrderInterval.fewest) ? .low_density : .ok
    }

    /// Two ends, of which each may be open.
    private static func range(_ from: Int32?, _ upTo: Int32?, _ choice: MetricChoice) -> JSONValue {
        guard from != nil || upTo != nil else { return .null }
        let low = from.map { FigureDocument.number(choice.values.values(of: $0...$0).lowerBound, scale: choice.scale) }
        let high = upTo.map { FigureDocument.number(choice.values.values(of: $0...$0).upperBound, scale: choice.scale) }
        return [low ?? .null, high ?? .null]
    }

    private static let notes: JSONValue = [
        "value":
            "the quantile that is asked for, if each released cell leaves the middle of what it leaves open: an estimate",
        "between":
            "where the quantile lies whatever the released cells leave open; an end is null where they tell nothing",
        "interval":
            .string(
                "95 %: by order statistics of effective_devices, and as wide as the released cells leave open; null where these are under \(OrderInterval.fewest)"
            ),
        "below":
            "of the values, the share below the threshold, which is moved down to the begin of its bin: estimated as value is",
        "partial": "released cells lie across the place: some of their values may be inside, and none counts",
        "n_at_least":
            "the lower ends of all bands together; a release counts a class of the devices only, so that it is no total",
        "devices_at_least": "the lower end of the largest band: devices may be in several cells, hours and days",
        "state": "no_data: nothing was released here; low_density: too few devices to say how sure the figure is; ok",
    ]
}
