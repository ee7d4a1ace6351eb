internal import ExporterStores
internal import Foundation
internal import Models
internal import ServiceKit

/// `GET /v1/status`: which figures are complete to when, and which services are heard.
struct StatusDocument: Encodable {
    struct FigureState: Encodable {
        /// Everything received before this counts; null while that is not known.
        let complete_to: String?
        let complete_to_ms: UnixMilliseconds?
        /// The figure may lack what came after `complete_to` for longer than it should.
        let late: Bool
        /// Services that are not heard, because of which it is late.
        let missing: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            // A moment that is not known is told as null, not left out.
            try container.encode(complete_to, forKey: .complete_to)
            try container.encode(complete_to_ms, forKey: .complete_to_ms)
            try container.encode(late, forKey: .late)
            try container.encode(missing, forKey: .missing)
        }

        private enum CodingKeys: String, CodingKey { case complete_to, complete_to_ms, late, missing }
    }

    struct ServiceState: Encodable {
        let service: String
        let state: String
        let silent_ms: Int64
    }

    let now: String
    let now_ms: UnixMilliseconds
    let late: Bool
    let figures: [String: FigureState]
    let services: [ServiceState]

    /// - Parameter clock: of the service: as fast as the recording that is played, if one is.
    init(_ freshness: Freshness, clock: WallClock) {
        let now = clock.now(), health = freshness.health
        let silent = Set(health.filter { $0.state != .alive }.map(\.service))
        var figures: [String: FigureState] = [:]
        for figure in Figure.allCases {
            let moment = freshness.completeTo(figure)
            let missing = figure.services.filter(silent.contains).map(\.rawValue)
            let age = moment.map { Double(now - $0) / clock.speed }
            figures[figure.rawValue] = FigureState(
                complete_to: moment.map(SystemTime.text), complete_to_ms: moment,
                late: !missing.isEmpty || age.map { $0 > Double(figure.patience) } ?? true, missing: missing)
        }
        self.figures = figures
        self.now = SystemTime.text(now)
        now_ms = now
        // Without a dispatcher there are no campaigns of which to say when they are.
        late = figures.contains {
            $0.value.late && ($0.key != Figure.campaigns.rawValue || $0.value.complete_to_ms != nil)
        }
        services = health.map {
            ServiceState(service: $0.service.rawValue, state: $0.state.rawValue, silent_ms: $0.silence)
        }
    }
}
