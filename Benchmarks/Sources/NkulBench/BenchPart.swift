import ArgumentParser

/// One of the measurements, in the order in which they are made.
enum BenchPart: String, CaseIterable, ExpressibleByArgument {
    case idleAlerts = "idle-alerts"
    case uploadsOf100 = "uploads-of-100"
    case loadedAlerts = "loaded-alerts"
    case uploadsOf10 = "uploads-of-10"
    case uploadsOf1To3 = "uploads-of-1-to-3"
    case freshness
    case detection
    case hello
    case erasure
    case storedBytesOfRecordings = "stored-bytes-of-recordings"
    case year
    case floor
    case lane

    /// Those that measure the services side by side on one home.
    static let withFleet = Set(allCases).subtracting([.storedBytesOfRecordings, .year, .lane])

    /// Those for which uploads of 100 are timed: these, their floor, and what runs at a share of their rate.
    static let withUploadsOf100: Set<BenchPart> = [.uploadsOf100, .floor, .loadedAlerts, .erasure]

    static var names: String { allCases.map(\.rawValue).joined(separator: " ") }
}
