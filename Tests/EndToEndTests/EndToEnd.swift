import Foundation

/// What the environment says about the tests with real processes.
enum EndToEnd {
    /// They run, unless `NKUL_E2E` is `0`.
    static var isEnabled: Bool { ProcessInfo.processInfo.environment["NKUL_E2E"] != "0" }

    /// A number above 0 by which a test is made shorter or longer.
    static func number(_ name: String, default usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? usual
    }
}
