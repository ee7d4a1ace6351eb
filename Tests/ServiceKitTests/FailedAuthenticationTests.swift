import GRDB
import NIOCore
import ServiceKit
import Testing

@Suite struct FailedAuthenticationTests {
    private func address(_ text: String) throws -> ClientAddress {
        ClientAddress(try SocketAddress(ipAddress: text, port: 1))
    }

    private func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { try FailedAuthentication.createTable($0) }
        return queue
    }

    @Test func `prefixes are cut from real addresses`() throws {
        #expect(try address("198.51.100.9").prefix.text == "198.51.100.0/24")
        #expect(try address("2001:db8:7:1::9").prefix.text == "2001:db8:7::/48")
        #expect(try address("::ffff:198.51.100.9") == address("198.51.100.9"))
        #expect(ClientAddress(nil).prefix == .none)
        #expect(ClientAddress(try SocketAddress(unixDomainSocketPath: "/x")).prefix == .none)
    }

    @Test func `a line is a whole i pv 4 address and the first half of one of i pv 6`() throws {
        #expect(try address("198.51.100.9").line != address("198.51.100.8").line)
        #expect(try address("2001:db8:7:1::9").line == address("2001:db8:7:1:8:7:6:5").line)
        #expect(try address("2001:db8:7:1::9").line != address("2001:db8:7:2::9").line)
        #expect(try ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"].allSatisfy { try address($0).isLoopback })
        #expect(try !["128.0.0.1", "::2", "::", "1::1"].contains { try address($0).isLoopback })
    }

    @Test func `a flood is one entry a minute prefix and reason`() throws {
        let failures = FailedAuthentications()
        for number in 0..<10_000 {
            failures.record("unknown_token", from: .v4([203, 0, 113, UInt8(number % 256)]), now: Int64(number) * 6)
        }
        failures.record("no_token", from: .v4([203, 0, 113, 1]), now: 60_000)
        let taken = failures.take().sorted { $0.last < $1.last }
        #expect(taken.map(\.count) == [10_000, 1] && taken.map(\.prefix.text) == ["203.0.113.0/24", "203.0.113.0/24"])
        #expect(failures.take().isEmpty)
        failures.giveBack(taken)
        #expect(failures.take().reduce(0) { $0 + $1.count } == 10_001)
    }

    @Test func `memory is bounded and nothing goes uncounted`() {
        let failures = FailedAuthentications()
        for number in 0..<5_000 {
            failures.record("r", from: .v4([1, UInt8(number >> 8), UInt8(number & 255), 1]), now: 0)
        }
        let taken = failures.take()
        #expect(taken.count <= FailedAuthentications.most + 1)
        #expect(taken.reduce(0) { $0 + $1.count } == 5_000 && taken.contains { $0.prefix == .others })
    }

    @Test func `rows add up and the old and the many go`() throws {
        let queue = try database(), now = FailedAuthentication.age + 600_000
        func failure(_ prefix: Int, _ last: Int64) -> FailedAuthentication {
            FailedAuthentication(prefix: AddressPrefix(text: "\(prefix)"), reason: "r", last: last)
        }
        try queue.write { db in
            try FailedAuthentication.store([failure(0, 1)], now: 1, db)
            for _ in 0..<3 { try FailedAuthentication.store([failure(1, now)], now: now, db) }
            #expect(try FailedAuthentication.newest(db).map(\.count) == [3])
            let many = (2...FailedAuthentication.limit + 50).map { failure($0, now + 60_000) }
            try FailedAuthentication.store(many, now: now, db)
            let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM failed_authentications")
            #expect(rows == FailedAuthentication.limit)
            #expect(try FailedAuthentication.newest(db).count == FailedAuthentication.shown)
        }
    }
}
