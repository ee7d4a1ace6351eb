import Foundation

/// What the kernel says a process used.
enum ProcessUsage {
    /// User and system time in microseconds (to 10 ms: the kernel counts ticks).
    static func cpuMicroseconds(_ pid: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        guard let end = text.lastIndex(of: ")") else { throw BenchError("/proc/\(pid)/stat cannot be read") }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchError("/proc/\(pid)/stat cannot be read")
        }
        return (user + system) * 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Most memory that was resident, in bytes.
    static func peakResidentBytes(_ pid: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
        else { throw BenchError("/proc/\(pid)/status has no VmHWM") }
        return kilobytes * 1_024
    }
}
