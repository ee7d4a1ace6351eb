internal import Foundation

/// Asks again and again until `condition` holds, for what only running services or threads can bring about. Leaves the cooperative
/// pool, which the services need, free meanwhile.
///
/// - Returns: false if it still does not hold after `seconds`.
public func eventually(within seconds: Double = 30, _ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
        if try await condition() { return true }
        if Date() > deadline { return false }
        try await apart { _ = usleep(20_000) }
    }
}

/// Runs what blocks on a thread of its own.
public func apart<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { done in
        Thread.detachNewThread { done.resume(with: Swift.Result(catching: body)) }
    }
}
