import Foundation

/// How many random worlds the tests of this run go through: `NKUL_SEEDS`, 100 unless it says otherwise.
public enum Seeds {
    private static let count = ProcessInfo.processInfo.environment["NKUL_SEEDS"].flatMap { Int($0) } ?? 100

    /// Which part of the work that a test does with 400 seeds it does in this run.
    public static let share = Double(count) / 400

    /// How many of `whole` worlds a test goes through: all with 400 seeds or more, a share with fewer, at least one.
    public static func share(of whole: Int) -> Int {
        min(whole, max(1, Int((share * Double(whole)).rounded())))
    }
}
