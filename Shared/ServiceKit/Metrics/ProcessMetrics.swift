import Foundation
import Glibc

/// What the system knows of this process, from `/proc`, under the names that Prometheus' own clients give it.
enum ProcessMetrics {
    /// Adds memory, CPU time, open files, the start and the build to the figures.
    static func register(in metrics: Metrics, service: ServiceName) {
        metrics.gauge("process_resident_memory_bytes", "Resident memory.") { memoryBytes().resident }
        metrics.gauge("process_virtual_memory_bytes", "Virtual memory.") { memoryBytes().virtual }
        metrics.counter("process_cpu_seconds_total", "CPU time used, user and system.", divisor: 1_000_000) {
            cpuMicroseconds()
        }
        metrics.gauge("process_open_fds", "Open file descriptors.") { openFiles() }
        metrics.gauge("process_max_fds", "Open file descriptors that the process may have.") { maximumOpenFiles() }
        metrics.gauge("process_start_time_seconds", "When the process was started, Unix time.", divisor: 1_000) {
            [start = startMilliseconds()] in start
        }
        metrics.gauge(
            "nkul_build_info", "Always 1.", labels: ["service": service.rawValue, "version": Version.text]
        ) { 1 }
    }

    static func memoryBytes() -> (virtual: Int64, resident: Int64) {
        let pages = words("/proc/self/statm").prefix(2).map { (Int64($0) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) }
        return pages.count == 2 ? (pages[0], pages[1]) : (0, 0)
    }

    static func cpuMicroseconds() -> Int64 {
        Int64(clock()) / (Int64(CLOCKS_PER_SEC) / 1_000_000)
    }

    /// By the 22nd word of its `stat`, ticks since the machine's start (`man 5 proc`). The second is a name in brackets, which may have blanks.
    static func startMilliseconds() -> Int64 {
        guard let up = words("/proc/uptime").first.flatMap({ Double($0) }),
            let text = try? SmallFile.read("/proc/self/stat"), let name = text.lastIndex(of: ")"),
            let ticks = text[name...].split(separator: " ").dropFirst(20).first.flatMap({ Int64($0) })
        else { return 0 }
        let age = Int64((up * 1_000).rounded()) - ticks * 1_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
        return SystemTime.unixMilliseconds() - age
    }

    static func openFiles() -> Int64 {
        Int64((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0)
    }

    static func maximumOpenFiles() -> Int64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int64(clamping: limit.rlim_cur)
    }

    private static func words(_ path: String) -> [Substring] {
        (try? SmallFile.read(path))?.split(separator: " ") ?? []
    }
}
