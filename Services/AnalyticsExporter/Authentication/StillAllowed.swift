internal import ServiceKit

/// Whether a caller may go on with what it began: a stream or download ends when its contact is revoked, its tenant removed
/// or its session over.
struct StillAllowed: Sendable {
    let directory: AccessDirectory
    let clock: WallClock

    /// The caller as it is now, nil if it may not go on.
    func current(_ caller: Caller) -> Caller? { directory.current(caller, now: clock.now()) }
}
