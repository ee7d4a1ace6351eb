import Foundation

/// When the host of a virtual machine gave its processors to others ("steal" of `/proc/stat`). The kernel tells it to 10 ms, so
/// what is shorter is not noticed.
struct StolenTime {
    private var last: (at: UInt64, stolen: Int)?

    /// The time since the last look, if something was taken in it.
    mutating func look() -> ClosedRange<UInt64>? {
        guard let stolen = Self.stolenTicks() else { return nil }
        let now = Monotonic.nanoseconds()
        defer { last = (now, stolen) }
        guard let last, stolen > last.stolen else { return nil }
        return last.at...now
    }

    /// Of all processors since the machine began, seconds; nil where the kernel does not say.
    static func seconds() -> Double? { stolenTicks().map { Double($0) / 100 } }

    /// Of all processors since the machine began, in units of 10 ms; nil where the kernel does not say.
    private static func stolenTicks() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        return fields.count > 8 ? Int(fields[8]) : nil
    }
}
