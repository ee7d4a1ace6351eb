import CommandSupport
import ServiceKit
import Testing

struct UpSettingsTests {
    private func services(_ text: String?) throws -> [ServiceName] {
        try UpSettings(Settings(environment: text.map { ["NKUL_SERVICES": $0] } ?? [:])).services
    }

    @Test func `the notifier comes when it is asked for, once`() throws {
        let one = ["NKUL_NOTIFIER": "1", "NKUL_SERVICES": "ingest"],
            named = one.merging(["NKUL_SERVICES": "notifier"]) { $1 }
        #expect(try UpSettings(Settings(environment: one)).services == [.ingest, .notifier])
        #expect(try UpSettings(Settings(environment: named)).services == [.notifier])
    }

    @Test func `the services that every home has are the default`() throws {
        #expect(try services(nil) == ServiceName.built)
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
