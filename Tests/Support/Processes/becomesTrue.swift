import Foundation

/// Asks again and again until `condition` holds, for things that only other processes can bring about.
///
/// - Returns: false if it still does not hold after `seconds`.
public func becomesTrue(within seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
        if try condition() { return true }
        if Date() > deadline { return false }
        usleep(20_000)
    }
}
