internal import Models

/// How the erasures stand, for figures.
struct ErasureStanding: Sendable, Equatable {
    /// Not completed.
    var open = 0
    /// Not completed, and their time is over.
    var late = 0
    var completed = 0
    /// Age of the oldest open one, milliseconds.
    var oldest: UnixMilliseconds?
}
