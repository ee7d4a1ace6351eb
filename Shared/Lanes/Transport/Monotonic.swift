internal import Glibc

/// A clock that only rises, for silences on sockets; what rows and blocks say comes from outside.
enum Monotonic {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
