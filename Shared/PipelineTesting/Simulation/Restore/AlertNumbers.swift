/// Which numbers alert messages may have: without a gap, but for a leap at each restore, behind everything that was given
/// out in the life that was lost.
struct AlertNumbers {
    private struct Leap {
        /// The last number in the backup, and the last of the lost life.
        let before: Int
        let lost: Int
    }

    /// By tenant.
    private var leaps: [Int: [Leap]] = [:]

    /// A home was restored.
    ///
    /// - Parameters:
    ///   - backedUp: last numbers at the backup, by tenant.
    ///   - lost: last numbers of the life that was lost.
    mutating func restored(_ backedUp: [Int: Int], lost: [Int: Int]) {
        for tenant in Set(backedUp.keys).union(lost.keys) {
            let before = backedUp[tenant] ?? 0
            leaps[tenant, default: []].append(Leap(before: before, lost: max(before, lost[tenant] ?? 0)))
        }
    }

    /// Whether a tenant's messages have the numbers that they should.
    func allow(_ numbers: [Int], of tenant: Int) -> Bool {
        var previous = 0
        for number in numbers {
            // Who was sent nothing before begins behind what anybody may have been sent.
            if previous == 0, leaps[tenant] == nil, !leaps.isEmpty, number > 1 {
                previous = number
                continue
            }
            let lost = leaps[tenant]?.filter { $0.before == previous }.map(\.lost).max()
            guard lost.map({ number > $0 }) ?? (number == previous + 1) else { return false }
            previous = number
        }
        return true
    }
}
