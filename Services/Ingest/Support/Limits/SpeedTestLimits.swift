internal import ServiceKit

/// How many bytes speed tests may move, and how many may run at once.
package struct SpeedTestLimits: Sendable {
    /// Tests at once; 0: there are none, and their paths are 404.
    package var concurrent = 4
    package var testBytes = 250_000_000
    /// Of an address, and of everybody, in a day (UTC).
    package var addressBytes = 2_000_000_000
    package var dayBytes = 50_000_000_000

    /// Latency echoes at once; 0: there are none, and their path is 404.
    package var echoes = 64

    package init() {}

    init(_ settings: Settings) throws {
        func bytes(_ key: String, _ value: Int, _ summary: String) throws -> Int {
            try settings.value(
                .integer(
                    "NKUL_INGEST_SPEED_TEST_" + key, default: value, in: 1_000_000...1_000_000_000_000_000,
                    unit: "bytes",
                    summary))
        }
        concurrent = try settings.value(
            .integer(
                "NKUL_INGEST_SPEED_TESTS", default: concurrent, in: 0...1_000, unit: "tests",
                "speed tests (ndt7) at once; more get 503; 0: none"))
        echoes = try settings.value(
            .integer(
                "NKUL_INGEST_ECHOES", default: echoes, in: 0...10_000, unit: "echoes",
                "latency echoes at once; more get 503; 0: none"))
        testBytes = try bytes("BYTES", testBytes, "most bytes of a speed test, which then ends")
        addressBytes = try bytes(
            "ADDRESS_BYTES", addressBytes,
            "most bytes of speed tests of an IPv4 address or IPv6 /64 in a day; more get 429")
        dayBytes = try bytes("DAY_BYTES", dayBytes, "most bytes of all speed tests in a day; more get 429")
    }
}
