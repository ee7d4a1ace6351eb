import Channels
import ServiceKit
import Testing

/// Which URLs a channel may be told at.
@Suite struct TargetURLTests {
    private func refusal(_ text: String, _ policy: AddressPolicy = AddressPolicy()) -> String? {
        do throws(TargetURL.Refusal) {
            _ = try TargetURL(text, policy)
            return nil
        } catch { return error.text }
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://127.8.9.10:80/", "http://10.0.0.1/", "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/",
        "http://100.127.255.255/",
        "http://0.0.0.0/", "http://224.0.0.1/", "http://255.255.255.255/", "http://198.18.0.1/", "http://192.0.2.1/",
        "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fc00::1]/", "http://[fd12:3456::1]/",
        "http://[ff02::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:10.0.0.1]/", "http://[::ffff:8.8.8.8]/",
        "http://[::127.0.0.1]/", "http://[64:ff9b::10.0.0.1]/", "http://[2002:7f00:1::]/", "http://[2001:db8::1]/",
        "http://[fec0::1]/", "http://[2001::1]/", "http://[::7f00:1]/",
    ])
    func `an address that is not of the internet is refused`(_ text: String) {
        #expect(refusal(text)?.hasPrefix("names ") == true, "\(text): \(refusal(text) ?? "allowed")")
    }

    @Test(arguments: [
        "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://127.1/",
        "http://127.0.1/", "http://017700000001/", "http://0x7f.1/", "http://1/", "http://127.0.0.1.5/",
        "http://010.0.0.1/",
        "http://256.0.0.1/", "http://0/",
    ])
    func `a number in another form than four decimal parts is refused`(_ text: String) {
        #expect(refusal(text)?.contains("number as host") == true, "\(text): \(refusal(text) ?? "allowed")")
    }

    @Test(arguments: [
        "http://localhost/", "http://LOCALHOST:8080/", "http://localhost./", "http://a.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/", "http://x.localdomain/", "http://box.home.arpa/",
    ])
    func `a name of this machine or network is refused`(_ text: String) {
        #expect(refusal(text) == "names a host of this machine or network")
    }

    @Test(arguments: [
        ("ftp://example.org/", "http://"), ("file:///etc/passwd", "http://"), ("gopher://example.org/", "http://"),
        ("//example.org/", "http://"), ("example.org", "http://"), ("http://user@example.org/", "user"),
        ("http://user:word@example.org/", "user"), ("http://example.org@127.0.0.1/", "user"),
        ("http://example.org:0/", "port"), ("http://example.org:65536/", "port"), ("http://example.org:+80/", "port"),
        ("http://example.org:080/", "port"), ("http://example.org:/", "port"), ("http://example.org:80:81/", "port"),
        ("http://exa mple.org/", "characters"), ("http://example.org/\r\nHost: x", "characters"),
        ("http://example.org\\@127.0.0.1/", "characters"), ("http://ex%61mple.org/", "escaped"),
        ("http://example.org/#x", "fragment"),
        ("http://[::1/", "unfinished"), ("http://[fe80::1%25eth0]/", "escaped"), ("http://[1.2.3.4]/", "brackets"),
        ("http:///path", "no name"), ("http://-a.org/", "no name"), ("http://a..org/", "no name"),
        ("http://bücher.example/", "characters"), ("", "characters"),
    ])
    func `a URL that could be read differently is refused`(_ text: String, _ word: String) {
        #expect(refusal(text)?.contains(word) == true, "\(text): \(refusal(text) ?? "allowed")")
    }

    @Test func `a URL of the internet is taken in its usual form`() throws {
        let url = try TargetURL("HTTPS://Hooks.Example.ORG:8443/a/b?c=d", AddressPolicy())
        #expect(url.host == "hooks.example.org" && url.port == 8_443 && url.isSecure)
        #expect(
            url.requestText == "https://hooks.example.org:8443/a/b?c=d"
                && url.origin == "https://hooks.example.org:8443")
        #expect(try TargetURL("https://[2606:4700::1111]", AddressPolicy()).requestText == "https://[2606:4700::1111]/")
        #expect(try TargetURL("http://8.8.8.8:80?x=1", AddressPolicy()).requestText == "http://8.8.8.8/?x=1")
    }

    @Test func `networks that the operator names are allowed, and no others`() throws {
        let policy = AddressPolicy(allowing: [IPNetwork(text: "192.168.1.0/24")!, IPNetwork(text: "fd00::/8")!])
        #expect(refusal("http://192.168.1.7/", policy) == nil && refusal("http://[fd00::7]/", policy) == nil)
        #expect(refusal("http://[::ffff:192.168.1.7]/", policy) == nil)
        #expect(refusal("http://192.168.2.7/", policy) != nil && refusal("http://localhost/", policy) != nil)
        let loopback = AddressPolicy(allowing: [IPNetwork(text: "127.0.0.0/8")!])
        #expect(
            refusal("http://localhost:9093/", loopback) == nil && refusal("http://127.0.0.1:9093/", loopback) == nil)
        #expect(refusal("http://[::1]/", loopback) != nil)
    }

    @Test(arguments: [
        "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0/8", "fd00::1/8", "", "x", "10.0.0.0/",
    ])
    func `a network with bits beyond its prefix, or none, is refused`(_ text: String) {
        #expect(IPNetwork(text: text) == nil)
    }
}
