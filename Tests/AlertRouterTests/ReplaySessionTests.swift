import Testing

@testable import AlertRouter

@Suite
struct ReplaySessionTests {
    private func message(_ seq: Int64) -> AlertMessage {
        AlertMessage(seq: seq, topic: "alerts/x", header: [1], body: [2])
    }

    @Test
    func `an answer is page after page and then END with the number it is complete up to`() {
        var session = ReplaySession(.replay(after: 0, prefix: []), number: 1)
        #expect(session.step == .read(.replay(after: 0, prefix: []), nil))
        session.beginReading()
        #expect(session.step == .wait)
        let next = ReplayPage.Next(last: 2, after: 1)
        session.take(ReplayPage(messages: [message(1)], last: 2, next: next))
        #expect(session.step == .send(message(1).frames))
        session.advance()
        #expect(session.step == .read(.replay(after: 0, prefix: []), next))
        session.beginReading()
        session.take(ReplayPage(messages: [], last: 2, next: nil))
        #expect(session.step == .send([Array("END".utf8), Array("2".utf8)]))
        session.advance()
        #expect(session.step == .finished)
    }

    @Test(
        arguments: [
            [], ["REPLAY"], ["REPLAY", "x", "alerts/"], ["REPLAY", "-1", "alerts/"], ["SNAPSHOT"], ["snapshot", "a"],
            ["SNAPSHOT", "1", "alerts/"], ["SNAPSHOT", String(repeating: "a", count: 257)],
        ] as [[String]])
    func `requests that are not understood are none`(frames: [String]) {
        #expect(ReplayRequest(frames.map { Array($0.utf8) }[...]) == nil)
    }

    @Test
    func `requests are read`() {
        #expect(ReplayRequest([Array("SNAPSHOT".utf8), []]) == .snapshot(prefix: []))
        #expect(
            ReplayRequest([Array("REPLAY".utf8), Array("17".utf8), Array("alerts/".utf8)])
                == .replay(after: 17, prefix: Array("alerts/".utf8)))
    }
}
