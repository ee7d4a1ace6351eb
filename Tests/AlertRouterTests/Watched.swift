import Foundation

/// Tries again until a condition holds; false after a minute.
func becomesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        await Task.yield()
    }
    return false
}
