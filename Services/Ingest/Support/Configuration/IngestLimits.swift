internal import NIOCore
internal import ServiceKit

/// Every limit that ingest sets to those who send, read from settings.
public struct IngestLimits: Sendable {
    package let edge: EdgeLimits
    package let admission: AdmissionLimits
    package let pace: UploadPace
    package let speedTests: SpeedTestLimits
    /// Urgent records of a device and minute that travel on `realtime`.
    package let urgentPerMinute: Int
    /// Levels of nesting, and members of an object, that a record may have.
    package let jsonDepth: Int
    package let jsonMembers: Int

    init(_ settings: Settings) throws {
        edge = try EdgeLimits(settings)
        admission = try AdmissionLimits(settings)
        speedTests = try SpeedTestLimits(settings)
        pace = UploadPace(
            period: try settings.value(
                .seconds(
                    "NKUL_INGEST_UPLOAD_PERIOD_SECONDS", default: 900, in: 1...86_400,
                    "how often phones are asked to upload while the service is calm")),
            longest: try settings.value(
                .seconds(
                    "NKUL_INGEST_UPLOAD_PERIOD_FULL_SECONDS", default: 3_600, in: 1...86_400,
                    "how often phones are asked to upload when the service is full")))
        urgentPerMinute = try settings.value(
            .integer(
                "NKUL_INGEST_URGENT_PER_MINUTE", default: 10, in: 0...100_000, unit: "records",
                "urgent records of a device and minute for the realtime lane, the others go to batch; 0: any number"))
        jsonDepth = try settings.value(
            .integer(
                "NKUL_INGEST_JSON_DEPTH", default: 64, in: 1...64, unit: "levels",
                "levels of nesting that a JSON record may have"))
        jsonMembers = try settings.value(
            .integer(
                "NKUL_INGEST_JSON_MEMBERS", default: 256, in: 64...1_000_000, unit: "members",
                "members that a JSON record may have, unknown ones included"))
    }
}

extension EdgeLimits {
    init(_ settings: Settings) throws {
        func integer(
            _ key: String, _ value: Int, _ range: ClosedRange<Int>, _ unit: String, _ summary: String
        ) throws -> Int {
            try settings.value(.integer("NKUL_INGEST_" + key, default: value, in: range, unit: unit, summary))
        }
        func seconds(_ key: String, _ value: Int, _ summary: String) throws -> TimeAmount {
            let setting = Setting.seconds("NKUL_INGEST_\(key)_SECONDS", default: value, in: 1...3_600, summary)
            return .seconds(try settings.value(setting).components.seconds)
        }
        connections = try integer(
            "CONNECTIONS", connections, 1...1_000_000, "connections", "connections in all; more are closed as they come"
        )
        headerFields = try integer(
            "HEADER_FIELDS", headerFields, 8...1_000, "fields", "header fields of a request")
        headerBytes = try integer(
            "HEADER_BYTES", headerBytes, 1_024...65_536, "bytes",
            "names and values of a request's header fields together")
        targetBytes = try integer(
            "TARGET_BYTES", targetBytes, 256...65_536, "bytes", "most bytes of a request's path and query")
        requestsAhead = try integer(
            "REQUESTS_AHEAD", requestsAhead, 1...1_000, "requests",
            "requests that are kept while one is being answered; behind more the connection is closed")
        callBytes = try integer(
            "CALL_BYTES", callBytes, 1_024...1_000_000, "bytes", "most bytes of a body that is no upload")
        strangerBytes = try integer(
            "STRANGER_BYTES", strangerBytes, 1_024...1_000_000, "bytes",
            "bytes of a body that are read before it is known whose it is")
        headTime = try seconds("HEAD", 10, "from the first byte of a request's head to its last")
        bodyTime = try seconds("BODY", 60, "from the end of a request's head to the end of its body")
        idleTime = try seconds("IDLE", 60, "between two requests of a connection")
        lingerTime = try seconds("CLOSING", 2, "how long a connection that is being closed may go on sending")
        realtime = try RealtimeLimits(settings)
    }
}

extension AdmissionLimits {
    init(_ settings: Settings) throws {
        func rate(_ name: String, _ minute: Int, _ burst: Int, _ unit: String, _ what: String) throws -> BucketRate {
            BucketRate(
                perMinute: try settings.value(
                    .integer(
                        "NKUL_INGEST_\(name)_PER_MINUTE", default: minute, in: 0...600_000, unit: unit,
                        "\(what) a minute in the long run, more get 429; 0: any number")),
                burst: try settings.value(
                    .integer(
                        "NKUL_INGEST_\(name)_BURST", default: burst, in: 1...1_000_000, unit: unit, "\(what) at once")))
        }
        calls = try rate("DEVICE_CALLS", 600, 1_200, "calls", "calls and WebSocket messages of a device")
        rows = try rate("DEVICE_ROWS", 1_200, 20_000, "records", "records of a device")
        strangers = try rate(
            "ADDRESS_CALLS", 600, 1_200, "calls",
            "unauthenticated calls of an IPv4 address or IPv6 /64, failed ones count ten times,")
        strangerConnections = try settings.value(
            .integer(
                "NKUL_INGEST_ADDRESS_CONNECTIONS", default: 2_000, in: 0...1_000_000, unit: "connections",
                "connections of an IPv4 address or IPv6 /64 that have not shown a known token yet; 0: any number"))
        devices = try settings.value(
            .integer(
                "NKUL_INGEST_LIMITED_DEVICES", default: 131_072, in: 1_024...16_777_216, unit: "devices",
                "devices that may be above zero of their limits at the same time; 24 bytes each"))
        addresses = try settings.value(
            .integer(
                "NKUL_INGEST_LIMITED_ADDRESSES", default: 65_536, in: 1_024...16_777_216, unit: "addresses",
                "addresses that may be above zero of their limit at the same time; 8 bytes each"))
        limitsLoopback = try settings.value(
            .flag(
                "NKUL_INGEST_LIMIT_LOOPBACK", default: false,
                "whether addresses of this machine, which are a proxy's, are limited like others"))
    }
}
