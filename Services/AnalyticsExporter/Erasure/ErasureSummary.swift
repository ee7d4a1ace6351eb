internal import Models

/// How erasures stand, all together.
struct ErasureSummary: Sendable, Equatable {
    var counts: [ErasureOrderDocument.State: Int] = [:]
    /// When the oldest one that is not completed was requested.
    var oldestOpen: UnixMilliseconds?
    /// Not completed, though the time has passed by which they must be.
    var late = 0
    /// Completed, but after that time.
    var completedLate = 0
    /// Milliseconds from request to completion: the median, of the nearest rank, and the most.
    var median: Int64?
    var longest: Int64?
}
