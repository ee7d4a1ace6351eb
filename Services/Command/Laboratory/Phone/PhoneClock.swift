import Foundation
import Models
import NkulDevice
import ServiceKit
import Synchronization

/// The clocks of this machine as those of a phone. Any thread.
final class PhoneClock: DeviceClock {
    private let boot: String
    private let alarm: Mutex<Task<Void, Never>?> = Mutex(nil)

    init() {
        // Another text after each start of the machine.
        let path = "/proc/sys/kernel/random/boot_id"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        boot = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    var now: ClockReading {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return ClockReading(
            wall: SystemTime.unixMilliseconds(), uptime: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000,
            boot: boot)
    }

    func wake(after milliseconds: Int64, _ body: @escaping @Sendable () -> Void) {
        let next = Task {
            do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch { return }
            body()
        }
        let last = alarm.withLock { alarm in
            let last = alarm
            alarm = next
            return last
        }
        last?.cancel()
    }
}
