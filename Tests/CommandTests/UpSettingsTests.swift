import CommandSupport
import ServiceKit
import Testing

struct UpSettingsTests {
    private func services(_ text: String?) throws -> [ServiceName] {
        try UpSettings(Settings(environment: text.map { ["NKUL_SERVICES": $0] } ?? [:])).services
    }

    @Test func `all services that are there are the default`() throws {
        #expect(Set(try services(nil)) == Set(ServiceName.allCases))
    }

    @Test func `services are named with or without their prefix`() throws {
        #expect(try services("ingest, nkul-analytics-exporter") == [.ingest, .analyticsExporter])
    }

    @Test(arguments: ["ingest,ingest", ",", "ingests", "nkul"])
    func `what is no list of services is refused with its key`(text: String) {
        #expect {
            try services(text)
        } throws: { error in
            "\(error)".contains("NKUL_SERVICES") && (error as? ServiceError)?.exitCode == 2
        }
    }
}
