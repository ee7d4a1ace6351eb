import Foundation
import Storage
import Testing

@Suite struct WorkThreadTests {
    @Test(arguments: [("aggregator", "aggregator"), ("a name that is too long", "a name that is ")])
    func theSystemKnowsAThreadByItsName(name: String, shown: String) async throws {
        let seen = await withCheckedContinuation { continuation in
            WorkThread.start(name, niceness: 0) {
                continuation.resume(returning: try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))
            }
        }
        #expect(seen == shown + "\n")
    }
}
