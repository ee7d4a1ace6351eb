/// Which numbers alert messages may have: without a gap, but for a leap at each restore, behind everything that was given
/// out in the life that was lost.
struct AlertNumbers {
    private struct Restore {
        /// The last numbers in the backup, by tenant; none of those that came later.
        let backedUp: [Int: Int]
        /// The last numbers of the life that was lost.
        let lost: [Int: Int]
    }

    private var restores: [Restore] = []

    /// A home was restored.
    ///
    /// - Parameters:
    ///   - backedUp: last numbers at the backup, by tenant.
    ///   - lost: last numbers of the life that was lost.
    mutating func restored(_ backedUp: [Int: Int], lost: [Int: Int]) {
        restores.append(Restore(backedUp: backedUp, lost: lost))
    }

    /// Whether a tenant's messages have the numbers that they should.
    func allow(_ numbers: [Int], of tenant: Int) -> Bool {
        // Who was sent nothing before a restore begins, too, behind what anybody may have been sent.
        let leaps = restores.map { ($0.backedUp[tenant] ?? 0, max($0.backedUp[tenant] ?? 0, $0.lost[tenant] ?? 0)) }
        var previous = 0
        for number in numbers {
            let lost = leaps.filter { $0.0 == previous }.map(\.1).max()
            guard lost.map({ number > $0 + 1 }) ?? (number == previous + 1) else { return false }
            previous = number
        }
        return true
    }
}
