import Foundation
import ServiceKit
import Testing

@testable import Administration

@Suite
struct TailKeysTests {
    private let folder = ScratchFolder()

    private func file(_ more: String) -> String {
        folder.write(
            "keys.json",
            "{\"server_public_key\":\"s\",\"alerts_pub\":\"tcp://127.0.0.1:5558\",\"alerts_replay\":\"tcp://127.0.0.1:5559\"\(more)}"
        )
    }

    @Test
    func `what tenant add printed is enough`() throws {
        let keys = try TailKeys.read(
            file(",\"tenant\":\"mtn\",\"token\":\"t\",\"client_public_key\":\"p\",\"client_secret_key\":\"c\""))
        #expect((keys.client_secret_key, keys.alerts_pub) == ("c", "tcp://127.0.0.1:5558"))
    }

    @Test
    func `the router's file of an added tenant has no subscriber's key, which the error says`() {
        let error = #expect(throws: ServiceError.self) { try TailKeys.read(file(",\"tenant\":\"mtn\",\"curve\":true")) }
        #expect(error?.message.contains("--keys FILE") == true)
    }

    @Test
    func `an endpoint in clear text needs no key`() throws {
        #expect(try TailKeys.read(file(",\"curve\":false")).client_secret_key == nil)
    }

    @Test
    func `what tenant add printed of an endpoint in clear text is enough, and with CURVE its key must be there`() throws
    {
        let addresses = "\"alerts_pub\":\"tcp://127.0.0.1:5558\",\"alerts_replay\":\"tcp://127.0.0.1:5559\""
        let clear = folder.write("clear.json", "{\(addresses),\"tenant\":\"mtn\",\"curve\":false}")
        #expect(throws: Never.self) { try TailKeys.read(clear) }
        let curve = folder.write("curve.json", "{\(addresses),\"client_secret_key\":\"c\",\"curve\":true}")
        let error = #expect(throws: ServiceError.self) { try TailKeys.read(curve) }
        #expect(error?.message.contains("server_public_key") == true)
    }

    @Test
    func `keys of another tenant than the one that was asked for are refused`() {
        let path = file(",\"tenant\":\"mtn\",\"client_secret_key\":\"c\"")
        #expect(throws: ServiceError.self) { try TailKeys.read(path, tenant: "orange") }
        #expect(throws: Never.self) { try TailKeys.read(path, tenant: "mtn") }
    }
}
