import ServiceKit
import Testing

@testable import AlertRouter

struct AlertRouterConfigurationTests {
    private func read(_ environment: [String: String]) throws -> AlertRouterConfiguration {
        try AlertRouterConfiguration(Settings(environment: environment))
    }

    @Test func `a clock that follows recordings keeps the alert endpoints on loopback`() throws {
        #expect(try read(["NKUL_CLOCK": "recording"]).host == "127.0.0.1")
        #expect(try read(["NKUL_ALERTS_HOST": "10.0.0.5"]).host == "10.0.0.5")
        #expect {
            try read(["NKUL_CLOCK": "recording", "NKUL_ALERTS_HOST": "10.0.0.5"])
        } throws: { error in
            ["NKUL_CLOCK", "NKUL_ALERTS_HOST", "loopback"].allSatisfy("\(error)".contains)
        }
    }
}
