import Foundation

/// Whether the tests with real processes run: they do, unless `NKUL_E2E` is `0`.
enum EndToEnd {
    static var isEnabled: Bool { ProcessInfo.processInfo.environment["NKUL_E2E"] != "0" }
}
