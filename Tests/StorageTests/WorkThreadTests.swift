import Foundation
import Testing

@testable import Storage

@Suite struct WorkThreadTests {
    @Test(arguments: [("aggregator", "aggregator"), ("a name that is too long", "a name that is ")])
    func `the system knows a thread by its name`(name: String, shown: String) async throws {
        let seen = await withCheckedContinuation { continuation in
            WorkThread.start(name, niceness: 0) {
                continuation.resume(returning: try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))
            }
        }
        #expect(seen == shown + "\n")
    }

    @Test func `a prompt thread runs in short slices where linux has them`() async {
        let usual = await slice(isPrompt: false), prompt = await slice(isPrompt: true)
        if usual > 0 {
            #expect(prompt == 200_000 && usual > 2 * prompt)
        } else {
            #expect(prompt == 0)
        }
    }

    @Test func `a thread that a prompt one starts is not`() async {
        let slices = await withCheckedContinuation { continuation in
            WorkThread.start("prompt", niceness: 0, isPrompt: true) {
                let own = WorkThread.slice
                WorkThread.start("usual", niceness: 0) { continuation.resume(returning: (own, WorkThread.slice)) }
            }
        }
        #expect(slices.0 == 0 || slices.1 > 2 * slices.0)
    }

    private func slice(isPrompt: Bool) async -> UInt64 {
        await withCheckedContinuation { continuation in
            WorkThread.start("slices", niceness: 3, isPrompt: isPrompt) {
                #expect(getpriority(Int32(PRIO_PROCESS.rawValue), 0) == 3)
                continuation.resume(returning: WorkThread.slice)
            }
        }
    }
}
