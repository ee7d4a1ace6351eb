import Foundation
import ProviderEmulators
import Testing

private let sharedFolder = ProcessInfo.processInfo.environment["NKUL_PROVIDERS_FILES"]

/// The emulated providers as clients of others see them: `Tests/Providers/check` starts this, and runs the providers' own SDKs.
///
/// Only with `NKUL_PROVIDERS_FILES`, a folder: `ports.json` says where each dialect is, until there is a file `done`; then `books.json`
/// has what each has written down.
@Suite(.enabled(if: sharedFolder != nil))
struct OthersClientsTests {
    @Test func `emulators serve clients of others`() async throws {
        let folder = try #require(sharedFolder)
        var servers: [(EmulatedProvider, EmulatorServer)] = []
        for dialect in EmulatedProvider.Dialect.allCases {
            var rules = EmulatedProvider.Rules()
            rules.gap = 0
            let provider = EmulatedProvider(dialect, rules: rules) { Int64(Date().timeIntervalSince1970 * 1_000) }
            servers.append((provider, try await EmulatorServer(provider)))
        }
        let ports = servers.map { ($0.0.dialect.rawValue, $0.1.port) }
        try write(Dictionary(uniqueKeysWithValues: ports), to: folder + "/ports.json")
        let end = ContinuousClock.now + .seconds(300)
        while !FileManager.default.fileExists(atPath: folder + "/done"), .now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        let books = servers.map { provider, _ in
            (
                provider.dialect.rawValue,
                provider.books.orders.map { ["reference": $0.reference, "phone": $0.phone, "amount": "\($0.amount)"] }
            )
        }
        try write(Dictionary(uniqueKeysWithValues: books), to: folder + "/books.json")
        for (_, server) in servers { try await server.stop() }
        #expect(ContinuousClock.now < end, "nobody has said that it is done")
    }

    private func write(_ value: some Encodable, to path: String) throws {
        try JSONEncoder().encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
