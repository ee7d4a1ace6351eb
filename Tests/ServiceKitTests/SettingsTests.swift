import TemporaryFiles
import Testing

@testable import ServiceKit

struct SettingsTests {
    private static let port = Setting<Int>.port("NKUL_ALERTS_PORT", default: 5556, "first alert port")
    private static let rows = Setting<Int>.integer("NKUL_INGEST_ROWS", default: 10, in: 1...100, unit: "rows", "rows")

    @Test func `default holds where nothing is given`() throws {
        #expect(try Settings(environment: [:]).value(Self.port) == 5556)
        #expect(try Settings(environment: ["NKUL_ALERTS_PORT": ""]).value(Self.port) == 5556)
    }

    @Test func `environment overrides file overrides default`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("nkul.json", #"{"NKUL_ALERTS_PORT": 6000, "NKUL_INGEST_ROWS": "7"}"#)
        let settings = try await Settings.load(environment: ["NKUL_INGEST_ROWS": "8"], file: file)
        #expect(try settings.value(Self.port) == 6000)
        #expect(try settings.value(Self.rows) == 8)
        #expect(settings.source(of: "NKUL_ALERTS_PORT") == "file \(file)")
    }

    @Test(arguments: [("true", true), ("false", false), ("1", true), ("0", false)])
    func `a flag in the file may be a JSON boolean or number`(json: String, expected: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("nkul.json", #"{"NKUL_ENCRYPT_BLOCKS": \#(json)}"#)
        let settings = try await Settings.load(environment: [:], file: file)
        #expect(try settings.value(.flag("NKUL_ENCRYPT_BLOCKS", default: !expected, "")) == expected)
    }

    @Test(arguments: ["0", "101", "-1", "ten", "1.5", "1 "])
    func `a value out of range is an error with key, value, source and range`(text: String) {
        let settings = Settings(environment: ["NKUL_INGEST_ROWS": text])
        #expect {
            try settings.value(Self.rows)
        } throws: { error in
            let message = "\(error)"
            return (error as? ServiceError)?.exitCode == 2
                && ["NKUL_INGEST_ROWS", "\"\(text)\"", "environment", "1…100 rows"].allSatisfy(message.contains)
        }
    }

    @Test func `an unknown key is an error that names it and the nearest known one`() throws {
        let settings = Settings(environment: ["NKUL_ALERTS_PROT": "1", "PATH": "/bin"])
        _ = try settings.value(Self.port)
        #expect {
            try settings.refuseUnknownKeys(of: .alertRouter)
        } throws: { error in
            "\(error)".contains("NKUL_ALERTS_PROT (environment)") && "\(error)".contains("NKUL_ALERTS_PORT?")
        }
    }

    @Test(
        arguments: [
            ("NKUL_ALRTS_PORT", "NKUL_ALERTS_PORT?"), ("NKUL_HOEM", "NKUL_HOME?"),
            ("NKUL_INGST_HTTP", "NKUL_INGEST_HTTP?"), ("NKUL_MOOD", nil),
        ] as [(String, String?)])
    func `what is nearest to an unknown key is suggested, also of other services' settings`(key: String, hint: String?)
        throws
    {
        let settings = Settings(environment: [key: "1"])
        _ = try CommonConfiguration(settings)
        let error = #expect(throws: ServiceError.self) { try settings.refuseUnknownKeys(of: nil) }
        let text = "\(try #require(error))"
        #expect(hint.map { text.hasSuffix("did you mean \($0)") } ?? !text.contains("did you mean"), "\(text)")
    }

    @Test func `an unknown key in the file is an error that names key and file`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("nkul.json", #"{"NKUL": {"HOME": "x"}}"#)
        let settings = try await Settings.load(environment: [:], file: file)
        #expect {
            try settings.refuseUnknownKeys(of: .ingest)
        } throws: { error in
            "\(error)".contains("NKUL (file \(file))")
        }
    }

    @Test func `keys of other services and of the build are left alone`() throws {
        let settings = Settings(environment: ["NKUL_INGEST_ANYTHING": "1", "NKUL_ONLY": "x", "NKUL_SERVICES": "ingest"])
        try settings.refuseUnknownKeys(of: .alertRouter)
        try settings.refuseUnknownKeys(of: nil)
        #expect(throws: ServiceError.self) { try settings.refuseUnknownKeys(of: .ingest) }
    }

    @Test func `keys that begin like those of no service are left to who reads them, and slips are refused`() throws {
        let keys = ["NKUL_NOTIFIER", "NKUL_REGIONS", "NKUL_RELEASES_K", "NKUL_RELEASES_LICENCE", "NKUL_RELEASES_TRUST"]
        let settings = Settings(environment: Dictionary(uniqueKeysWithValues: keys.map { ($0, "1") }))
        for service in [nil, .ingest, .batchAggregator, .analyticsExporter] as [ServiceName?] {
            try settings.refuseUnknownKeys(of: service)
        }
        let slip = Settings(environment: ["NKUL_RELEASES_KK": "5"])
        for service in [nil, .batchAggregator] as [ServiceName?] {
            #expect(throws: ServiceError.self) { try slip.refuseUnknownKeys(of: service) }
        }
    }

    @Test(arguments: ["[1]", "{", "", "7"])
    func `a file that is no JSON object is an error that names it`(text: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("nkul.json", text)
        await #expect {
            try await Settings.load(environment: [:], file: file)
        } throws: { error in
            "\(error)".contains(file) && (error as? ServiceError)?.exitCode == 2
        }
    }

    @Test func `a missing file is an error that names it and the cause`() async {
        await #expect {
            try await Settings.load(environment: [:], file: "/nowhere/nkul.json")
        } throws: { error in
            "\(error)".contains("/nowhere/nkul.json") && "\(error)".contains("ENOENT")
        }
    }
}
