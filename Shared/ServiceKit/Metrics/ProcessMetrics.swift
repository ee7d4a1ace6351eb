import Glibc
import Foundation

/// What the system knows of this process, from `/proc/self`.
enum ProcessMetrics {
    /// Adds resident memory, CPU time, open files and the build to the figures.
    static func register(in metrics: Metrics, service: ServiceName) {
        metrics.gauge("process_resident_memory_bytes", "Resident memory.") { residentBytes() }
        metrics.gauge("process_cpu_milliseconds_total", "CPU time used, user and system.") { cpuMilliseconds() }
        metrics.gauge("process_open_fds", "Open file descriptors.") { openFiles() }
        metrics.gauge(
            "nkul_build_info", "Always 1.", labels: ["service": service.rawValue, "version": Version.text]
        ) { 1 }
    }

    static func residentBytes() -> Int64 {
        guard let text = try? SmallFile.read("/proc/self/statm") else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    static func cpuMilliseconds() -> Int64 {
        Int64(clock()) / (Int64(CLOCKS_PER_SEC) / 1_000)
    }

    private static func openFiles() -> Int64 {
        Int64((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0)
    }
}
