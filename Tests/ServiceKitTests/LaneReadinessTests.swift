import Lanes
import Models
import Testing

@testable import ServiceKit

struct LaneReadinessTests {
    private func shown(_ status: LaneStatus) throws -> (isReady: Bool, condition: Readiness.Condition) {
        let readiness = Readiness()
        readiness.declare([.batch])
        readiness.show([.batch: status])
        return (readiness.isReady, try #require(readiness.conditions.first))
    }

    @Test func `a silent writer is noted, and its reader stays ready`() throws {
        let silent = try shown(.silent)
        #expect(silent.isReady && silent.condition.note == "lane batch: its writer is silent")
        let waiting = try shown(.waiting)
        #expect(waiting.isReady && waiting.condition.note == "lane batch: waiting for its writer")
    }

    @Test(arguments: [LaneStatus.behind(3), .current, .idle]) func `of a writer that is heard nothing is noted`(
        status: LaneStatus
    ) throws {
        let shown = try shown(status)
        #expect(shown.isReady && shown.condition.note == nil)
    }

    @Test func `what somebody has to act on is a problem`() throws {
        let shown = try shown(.refused("rebuild"))
        #expect(!shown.isReady && shown.condition.problem == "lane batch: refused: rebuild")
    }
}
