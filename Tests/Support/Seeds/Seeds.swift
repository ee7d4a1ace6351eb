import Foundation

/// How many random worlds the tests of this run go through: `NKUL_SEEDS`, 100 unless it says otherwise.
public enum Seeds {
    private static let count = ProcessInfo.processInfo.environment["NKUL_SEEDS"].flatMap { Int($0) } ?? 100

    /// The share of a test that goes through all of its own with 400.
    public static let share = Double(count) / 400

    /// Of a test that goes through `whole` with 400; at least one, and with more than 400 no more than 400 would be.
    public static func share(of whole: Int) -> Int {
        min(whole, max(1, Int((share * Double(whole)).rounded())))
    }
}
