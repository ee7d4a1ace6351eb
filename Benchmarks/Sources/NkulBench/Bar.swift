import ServiceKit

/// A promised figure beside its bar.
///
/// The bars are the promises that `docs/performance.md` has beside its figures. They are promised for the load that
/// `Benchmarks/README.md` describes, and judged whatever load was asked for. Bytes of recordings are judged if the
/// traffic is real, and for `driving` and `driving_alone` only: the `background` profiles are put together from
/// recordings, and are not real traffic.
struct Bar {
    enum Verdict: String {
        case held, missed
        /// It belongs to a part that was run, and is absent.
        case notMeasured = "not measured"
        /// The parts that measure it were left out, or the traffic is simulated.
        case notRun = "not measured, not part of this run"
    }

    enum Bound {
        case atMost(Double)
        /// The aim is told and not judged.
        case atLeast(Double, aim: Double? = nil)

        func holds(_ value: Double) -> Bool {
            switch self {
            case .atMost(let most): value <= most
            case .atLeast(let least, _): value >= least
            }
        }

        var text: String {
            switch self {
            case .atMost(let most): "≤ \(Bar.text(of: most))"
            case .atLeast(let least, nil): "≥ \(Bar.text(of: least))"
            case .atLeast(let least, let aim?): "≥ \(Bar.text(of: least)) (aim \(Bar.text(of: aim)))"
            }
        }
    }

    /// Where it stands in the JSON.
    let figure: String
    let value: Double?
    let bound: Bound
    /// True if a part was run to which the figure belongs.
    let isRun: Bool

    var verdict: Verdict {
        guard isRun else { return .notRun }
        guard let value else { return .notMeasured }
        return bound.holds(value) ? .held : .missed
    }

    /// True if the run did not show what is promised though it was meant to.
    var isFailure: Bool { verdict == .missed || verdict == .notMeasured }

    /// One line: figure, value, bar, verdict.
    var text: String {
        let measured = value.map { Self.text(of: $0) } ?? "-"
        return "\(figure): \(measured), bar \(bound.text): \(verdict.rawValue)"
    }

    /// As JSON has it, so that nothing is rounded to its bar.
    private static func text(of value: Double) -> String {
        Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

extension Bar {
    /// Every bar, also those of parts that were not run.
    static func all(_ result: BenchResult, parts: Set<BenchPart>) -> [Bar] {
        speeds(result, parts) + freshness(result, parts) + year(result, parts) + memory(result, parts)
            + recordings(result, parts)
    }

    private static func speeds(_ result: BenchResult, _ parts: Set<BenchPart>) -> [Bar] {
        func bar(_ figure: String, _ value: Double?, _ bound: Bound, of measuring: Set<BenchPart>) -> Bar {
            Bar(figure: figure, value: value, bound: bound, isRun: !parts.isDisjoint(with: measuring))
        }
        let alerts = result.alert_latency_ms
        return [
            bar("alert_latency_ms.idle.p99", alerts?.idle?.p99, .atMost(10), of: [.idleAlerts]),
            bar("alert_latency_ms.loaded.p99", alerts?.loaded?.p99, .atMost(10), of: [.loadedAlerts]),
            bar("detection_ms.idle.p99", result.detection_ms?.idle?.p99, .atMost(2_000), of: [.detection]),
            bar("detection_ms.full_load.p99", result.detection_ms?.full_load?.p99, .atMost(2_000), of: [.detection]),
            bar(
                "end_to_end_reports_per_second", result.end_to_end_reports_per_second,
                .atLeast(250_000, aim: 500_000), of: BenchPart.withUploadsOf100),
            bar(
                "end_to_end_reports_per_second_uploads_of_10", result.end_to_end_reports_per_second_uploads_of_10,
                .atLeast(120_000), of: [.uploadsOf10]),
            bar("cpu_ratio_to_floor", result.cpu_ratio_to_floor, .atMost(3), of: [.floor]),
            bar("ingest_cpu_ratio_to_hello", result.ingest_cpu_ratio_to_hello, .atMost(3), of: [.hello]),
        ]
    }

    private static func freshness(_ result: BenchResult, _ parts: Set<BenchPart>) -> [Bar] {
        BenchRun.FreshnessLoad.all.map { load in
            Bar(
                figure: "freshness_seconds.\(load.name).max", value: result.freshness_seconds[load.name]?.max,
                bound: .atMost(load.bar), isRun: parts.contains(.freshness))
        }
    }

    private static func year(_ result: BenchResult, _ parts: Set<BenchPart>) -> [Bar] {
        let year = result.year, isRun = parts.contains(.year)
        return [
            Bar(
                figure: "year.worst_p99_ms.days_31", value: year?.worst_p99_ms.days_31, bound: .atMost(50), isRun: isRun
            ),
            Bar(figure: "year.worst_p99_ms.year", value: year?.worst_p99_ms.year, bound: .atMost(500), isRun: isRun),
            Bar(
                figure: "year.exporter_peak_bytes", value: year.map { Double($0.exporter_peak_bytes) },
                bound: .atMost(150_000_000),
                isRun: isRun),
        ]
    }

    private static func memory(_ result: BenchResult, _ parts: Set<BenchPart>) -> [Bar] {
        let isRun = !parts.isDisjoint(with: BenchPart.withFleet)
        return ServiceName.built.map { service in
            let bytes = result.resident_bytes?[service.rawValue]
            return Bar(
                figure: "resident_bytes.\(service.rawValue)", value: bytes.map { Double($0) },
                bound: .atMost(150_000_000), isRun: isRun)
        }
    }

    private static func recordings(_ result: BenchResult, _ parts: Set<BenchPart>) -> [Bar] {
        ["driving", "driving_alone"].flatMap { profile -> [Bar] in
            let sent = result.stored_bytes_of_recordings?[profile]
            // Not known of a profile that failed, which is not to pass for a simulated one.
            let isReal = sent?.real != 0
            let isRun = isReal && parts.contains(.storedBytesOfRecordings)
            return RecordID.allCases.flatMap { id -> [Bar] in
                let name = "stored_bytes_of_recordings.\(profile).by_id.\(id.rawValue)"
                let bytes = isReal ? sent?.by_id[id.rawValue] : nil, raw = bytes?.raw_beside_id
                return [
                    Bar(figure: "\(name).raw_beside_id", value: raw, bound: .atMost(20), isRun: isRun),
                    Bar(figure: "\(name).total", value: bytes?.total, bound: .atMost(80), isRun: isRun),
                ]
            }
        }
    }
}
