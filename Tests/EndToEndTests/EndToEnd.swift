import Foundation

/// What the environment says about the tests with real processes.
enum EndToEnd {
    /// They run if `NKUL_E2E` is `1`: they want their programs built, and the machine for themselves.
    static var isEnabled: Bool { ProcessInfo.processInfo.environment["NKUL_E2E"] == "1" }

    /// A number above 0 by which a test is made shorter or longer.
    static func number(_ name: String, default usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? usual
    }
}
