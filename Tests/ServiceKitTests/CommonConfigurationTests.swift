import Models
import Testing

@testable import ServiceKit

struct CommonConfigurationTests {
    private func read(_ environment: [String: String]) throws -> CommonConfiguration {
        let settings = Settings(environment: environment)
        let common = try CommonConfiguration(settings)
        try settings.refuseUnknownKeys(of: .privacyWorker)
        return common
    }

    @Test func `defaults are those of the interface`() throws {
        let common = try read(["NKUL_HOME": "/srv/nkul"])
        #expect(common.home.path == "/srv/nkul")
        #expect(common.admin[.ingest] == HostPort("127.0.0.1:9101"))
        #expect(common.admin[.alertRouter] == HostPort("127.0.0.1:9102"))
        #expect(common.admin[.batchAggregator] == HostPort("127.0.0.1:9103"))
        #expect(common.admin[.analyticsExporter] == HostPort("127.0.0.1:9106"))
        #expect(common.endpoint(of: .realtime) == "ipc:///srv/nkul/run/realtime.sock")
        #expect(common.timeZone == "Africa/Douala")
        #expect(common.encryptBlocks)
        #expect(common.journalBytes(of: .batch) == 20_000_000_000)
        #expect(common.journalBytes(of: .rollups) == 20_000_000_000)
        #expect(common.journalBytes(of: .realtime) == 2_000_000_000)
    }

    @Test func `every key of the interface is known to a service that does not use it`() throws {
        _ = try read([
            "NKUL_HOME": "/srv/nkul", "NKUL_INGEST_HTTP": "127.0.0.1:1", "NKUL_EXPORTER_HTTP": "127.0.0.1:2",
            "NKUL_ALERTS_HOST": "127.0.0.1", "NKUL_ALERTS_PORT": "5556", "NKUL_ALERTS_INSECURE": "1",
            "NKUL_LANE_BATCH": "ipc:///tmp/b.sock", "NKUL_ADMIN_REWARD_DISPATCHER": "127.0.0.1:9104",
            "NKUL_TIME_ZONE": "Africa/Douala", "NKUL_ENCRYPT_BLOCKS": "0",
        ])
    }

    @Test func `a socket path over 107 bytes is an error with path, length and limit`() {
        let home = "/tmp/" + String(repeating: "x", count: 100)
        #expect {
            try read(["NKUL_HOME": home])
        } throws: { error in
            ["NKUL_HOME", "\(home)/run/realtime.sock", "123 bytes", "107"].allSatisfy("\(error)".contains)
        }
    }

    @Test func `a socket path of 107 bytes is accepted`() throws {
        let suffix = "/run/operations.sock"
        let home = "/tmp/" + String(repeating: "x", count: 107 - 5 - suffix.utf8.count)
        #expect(try read(["NKUL_HOME": home]).endpoint(of: .operations).utf8.count == 107 + 6)
    }

    @Test(arguments: [
        ("NKUL_TLS_CERT", "/x.pem"), ("NKUL_TLS_KEY", "/x.pem"),
    ])
    func `TLS needs certificate and key`(key: String, value: String) {
        #expect {
            try read([key: value])
        } throws: { error in
            "\(error)".contains("\(key) is set") && (error as? ServiceError)?.exitCode == 2
        }
    }

    @Test(arguments: [
        ("NKUL_TIME_ZONE", "Africa/Dou ala"), ("NKUL_ENCRYPT_BLOCKS", "2"), ("NKUL_ADMIN_INGEST", "0.0.0.0:9101"),
        ("NKUL_ADMIN_INGEST", "127.0.0.1"), ("NKUL_CLOCK", "sundial"), ("NKUL_LOG_LEVEL", "loud"),
        ("NKUL_LANE_BATCH_BYTES", "12"), ("NKUL_HTTP_INSECURE", "perhaps"),
        ("NKUL_LANE_BATCH", "/tmp/batch.sock"), ("NKUL_LANE_BATCH", "tcp://ingest"),
        ("NKUL_LANE_BATCH", "tcp://ingest:0"), ("NKUL_LANE_BATCH", "tcp://ingest:70000"),
        ("NKUL_LANE_BATCH", "tcp://*:7002"), ("NKUL_LANE_BATCH", "tcp://0.0.0.0:7002"),
        ("NKUL_LANE_BATCH", "tcp://[::]:7002"), ("NKUL_LANE_BATCH", "udp://ingest:7002"),
    ])
    func `a value that cannot be is refused with its key`(key: String, value: String) {
        #expect {
            try read([key: value])
        } throws: { error in
            "\(error)".contains(key) && "\(error)".contains("\"\(value)\"")
        }
    }

    @Test(arguments: [
        "tcp://127.0.0.1:7002", "tcp://ingest:7002", "tcp://nkul.example.org:7002", "tcp://[fd00::5]:7002",
    ])
    func `a lane may be at a host and port, where readers and writer look for its keys`(endpoint: String) throws {
        let common = try read(["NKUL_HOME": "/srv/nkul", "NKUL_LANE_BATCH": endpoint])
        #expect(common.endpoint(of: .batch) == endpoint)
        #expect(common.laneKeys == "/srv/nkul/keys")
        #expect(try read(["NKUL_LANE_KEYS": "/etc/nkul/lanes"]).laneKeys == "/etc/nkul/lanes")
    }

    @Test func `a clock may follow recordings on loopback and nowhere else`() throws {
        let recording = ["NKUL_CLOCK": "recording", "NKUL_HTTP_INSECURE": "1"]
        func address(_ text: String) throws -> HostPort {
            let settings = Settings(environment: recording)
            return try CommonConfiguration(settings).httpAddress(settings, "NKUL_INGEST_HTTP", default: text, "")
        }
        #expect(try read([:]).clock == .wall && read(recording).clock == .recording)
        #expect(try address("127.0.0.1:8080").isLoopback)
        let refusals: [(String, () throws -> Void)] = [
            ("NKUL_INGEST_HTTP", { _ = try address("0.0.0.0:8080") }),
            ("NKUL_LANE_BATCH", { _ = try read(recording.merging(["NKUL_LANE_BATCH": "tcp://ingest:7002"]) { $1 }) }),
        ]
        for (key, refusal) in refusals {
            #expect {
                try refusal()
            } throws: { error in
                ["NKUL_CLOCK", key, "loopback"].allSatisfy("\(error)".contains)
                    && (error as? ServiceError)?.exitCode == 2
            }
        }
        #expect(try read(recording.merging(["NKUL_LANE_BATCH": "tcp://127.0.0.1:7002"]) { $1 }).clock == .recording)
    }

    @Test func `HTTP stays on loopback unless it has TLS or clear text is asked for by name`() throws {
        let key = "NKUL_INGEST_HTTP"
        func address(_ environment: [String: String]) throws -> HostPort {
            let settings = Settings(environment: environment)
            return try CommonConfiguration(settings).httpAddress(settings, key, default: "127.0.0.1:8080", "")
        }
        #expect(try address([:]) == HostPort("127.0.0.1:8080"))
        #expect(try address([key: "0.0.0.0:80", "NKUL_HTTP_INSECURE": "1"]) == HostPort("0.0.0.0:80"))
        let secure = [key: "0.0.0.0:443", "NKUL_TLS_CERT": "/x.pem", "NKUL_TLS_KEY": "/y.pem"]
        #expect(try address(secure) == HostPort("0.0.0.0:443"))
        #expect {
            try address([key: "0.0.0.0:80"])
        } throws: { error in
            "\(error)".contains(key) && "\(error)".contains("loopback")
        }
    }
}
