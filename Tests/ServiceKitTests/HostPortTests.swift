import ServiceKit
import Testing

struct HostPortTests {
    @Test(arguments: ["127.0.0.1:8080", "localhost:0", "[::1]:9101", "nkul.example:65535"])
    func `an address is written as it was read`(text: String) {
        #expect(HostPort(text)?.description == text)
    }

    @Test(arguments: [
        "", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "a b:1",
        "http://a:1",
    ])
    func `what is not host and port is not an address`(text: String) {
        #expect(HostPort(text) == nil)
    }

    @Test func `only this machine's addresses are loopback`() {
        #expect(
            HostPort("127.0.0.1:1")!.isLoopback && HostPort("[::1]:1")!.isLoopback
                && HostPort("localhost:1")!.isLoopback)
        #expect(!HostPort("0.0.0.0:1")!.isLoopback && !HostPort("127.evil.example:1")!.isLoopback)
    }
}
