internal import Foundation
internal import Models

/// What is odd about a record that would be rewarded; its grant is held for a person. The words of reasons and metrics.
public enum Suspicion: String, Sendable, CaseIterable {
    /// More in a minute than a person gives.
    case burst
    /// Too far from the record before for the time between them.
    case impossibleTravel = "impossible_travel"
    /// Another device has captured the same at the same millisecond in the same place.
    case copied
}

/// What is known of what a device captured last, as far as the checks need it.
struct CaptureTrace: Sendable, Equatable {
    /// Minutes since 1970 of the newest record, and how many there were in it.
    var minute: Int64 = .min
    var count: Int64 = 0
    /// The newest record with a position: when, and where in 1e-7 degrees; nil before the first.
    var place: Place?

    struct Place: Sendable, Equatable {
        let at: UnixMilliseconds
        let latitude: Int64
        let longitude: Int64
    }
}

/// The checks of one record against what its device captured before. Pure; by the time of capture, so that phones that were away may
/// send a week at once.
enum SuspicionRules {
    /// Records of a minute.
    static let mostInMinute: Int64 = 6
    /// Metres a second: faster than an airliner.
    static let fastest = 300.0
    /// Metres: positions of people who allow a rough one only jump so far from cell to cell.
    static let nearby = 50_000.0

    /// Takes a record into the trace, and says what is odd.
    static func check(_ record: RewardedRecord, _ trace: inout CaptureTrace) -> Suspicion? {
        let isBurst = isBurst(record, &trace), isTooFast = isTooFast(record, &trace)
        return isTooFast ? .impossibleTravel : isBurst ? .burst : nil
    }

    private static func isBurst(_ record: RewardedRecord, _ trace: inout CaptureTrace) -> Bool {
        let minute = record.capturedAt / 60_000
        // Of a minute before the newest nothing is known any more.
        guard minute >= trace.minute else { return false }
        trace.count = minute == trace.minute ? trace.count + 1 : 1
        trace.minute = minute
        return trace.count > mostInMinute
    }

    private static func isTooFast(_ record: RewardedRecord, _ trace: inout CaptureTrace) -> Bool {
        guard let latitude = record.latitude, let longitude = record.longitude else { return false }
        let place = CaptureTrace.Place(at: record.capturedAt, latitude: latitude, longitude: longitude)
        let before = trace.place
        if before.map({ $0.at <= place.at }) ?? true { trace.place = place }
        guard let before else { return false }
        let distance = metres(before, place), seconds = Double(abs(place.at - before.at)) / 1_000
        return distance > nearby && distance > seconds * fastest
    }

    /// Between two places, by the equirectangular approximation: better than one percent within a country.
    static func metres(_ one: CaptureTrace.Place, _ other: CaptureTrace.Place) -> Double {
        let metresOfDegree = 111_195.0, middle = Double(one.latitude + other.latitude) / 2e7 * .pi / 180
        let north = Double(other.latitude - one.latitude) * 1e-7 * metresOfDegree
        let east = Double(other.longitude - one.longitude) * 1e-7 * metresOfDegree * cos(middle)
        return (north * north + east * east).squareRoot()
    }
}
