internal import ExporterSupport
internal import Models

/// Which figures of a metric somebody asks for: a quantile, and perhaps the share of values below a threshold.
struct FigureQuery: Sendable {
    /// Names of the parameters.
    static let parameters = ["quantile", "below"]

    /// Of the quantile, in thousandths: 10…990.
    let permille: Int
    /// The values below the lower end of this bin; nil: no share is asked for.
    let below: Int32?

    /// - Parameter field: that the metric measures; its range and unit are those of the threshold.
    init(_ parameters: QueryParameters, _ metric: ProgrammeMetric, _ field: Field?) throws(ParameterFault) {
        permille = try Self.permille(parameters)
        below = try Self.bin(parameters, metric, field)
    }

    private static func permille(_ parameters: QueryParameters) throws(ParameterFault) -> Int {
        guard let text = parameters.text("quantile") else { return 500 }
        guard let value = Double(text), value >= 0.01, value <= 0.99 else {
            throw ParameterFault("quantile", "\"\(text)\": expected a number, 0.01…0.99")
        }
        return Int((value * 1_000).rounded())
    }

    private static func bin(
        _ parameters: QueryParameters, _ metric: ProgrammeMetric, _ field: Field?
    ) throws(ParameterFault) -> Int32? {
        guard let text = parameters.text("below") else { return nil }
        let scale = Double(field?.scale ?? 1), range = field?.range ?? .min ... .max
        guard let value = Double(text), value.isFinite, value * scale >= Double(range.lowerBound),
            value * scale <= Double(range.upperBound), let stored = Int64(exactly: (value * scale).rounded())
        else {
            let unit = field.map { $0.unit.isEmpty ? "" : " \($0.unit)" } ?? ""
            throw ParameterFault(
                "below",
                "\"\(text)\": expected a number, \(Double(range.lowerBound) / scale)…\(Double(range.upperBound) / scale)\(unit)"
            )
        }
        return metric.bins.bin(stored)
    }
}
