import Dispatch
import Glibc

/// A clock that all processes of the machine share.
enum Monotonic {
    static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// CPU time of this process, of all its threads; to a microsecond.
    static func processNanoseconds() -> UInt64 { UInt64(clock()) * (1_000_000_000 / UInt64(CLOCKS_PER_SEC)) }
}
