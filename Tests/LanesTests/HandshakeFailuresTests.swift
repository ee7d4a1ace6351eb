import Testing

@testable import Lanes

struct HandshakeFailuresTests {
    /// `EPIPE`, as libzmq reports a connection that broke during the handshake.
    private let broken: Int32 = 32

    private func told(_ handshakes: inout HandshakeFailures, _ code: Int32, at now: Int64) -> Bool {
        handshakes.failed(code, at: now)
    }

    @Test func `a key that the writer refuses is told at once, and once`() {
        var handshakes = HandshakeFailures()
        #expect(told(&handshakes, 400, at: 5) == true)
        #expect(told(&handshakes, 400, at: 50_000) == false)
        handshakes.succeeded()
        #expect(told(&handshakes, 400, at: 60_000) == true)
    }

    @Test func `a writer that starts or goes during a handshake refuses no keys`() {
        var handshakes = HandshakeFailures()
        for now in stride(from: Int64(0), to: 9_999, by: 100) { #expect(told(&handshakes, broken, at: now) == false) }
        handshakes.succeeded()
        #expect(told(&handshakes, broken, at: 30_000) == false)
    }

    @Test func `handshakes that break for ten seconds are wrong keys`() {
        var handshakes = HandshakeFailures()
        for now in stride(from: Int64(0), to: 10_000, by: 2_000) {
            #expect(told(&handshakes, broken, at: now) == false)
        }
        #expect(told(&handshakes, broken, at: 10_000) == true)
        #expect(told(&handshakes, broken, at: 20_000) == false)
    }

    @Test func `two handshakes that break an hour apart are no wrong keys`() {
        var handshakes = HandshakeFailures()
        #expect(told(&handshakes, broken, at: 0) == false)
        #expect(told(&handshakes, broken, at: 3_600_000) == false)
        for now in stride(from: Int64(3_602_000), to: 3_610_000, by: 2_000) {
            #expect(told(&handshakes, broken, at: now) == false)
        }
        #expect(told(&handshakes, broken, at: 3_610_000) == true)
    }
}
