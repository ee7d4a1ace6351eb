import Laboratory
import Models
import ServiceKit

/// Writes reports as phones do.
struct ReportText {
    static let operators = [1, 2, 3, 4]
    private static let hex = Array("0123456789abcdef".utf8)
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// A v4 id, the phone's place within its cell, everything a phone measures: about 330 bytes.
    ///
    /// - Parameters:
    ///   - now: Unix milliseconds; the report is up to two minutes old.
    ///   - late: by how much more, ms, because the phone was offline.
    mutating func append(
        device: Int, at middle: (latitude: Int64, longitude: Int64), now: Int64, late: Int64 = 0, event: String? = nil,
        to bytes: inout [UInt8]
    ) {
        let captured = now - late - Int64(random.below(120_000))
        bytes += Array("{\"id\":\"".utf8)
        appendIdentifier(&bytes)
        let latitude = middle.latitude + Int64(random.below(20_000) - 10_000)
        let longitude = middle.longitude + Int64(random.below(20_000) - 10_000)
        var text =
            "\",\"captured_at_ms\":\(captured),\"latitude\":\(degrees(latitude)),\"longitude\":\(degrees(longitude))"
        text +=
            ",\"accuracy_m\":\(3 + random.below(40)).\(random.below(10)),\"speed_mps\":\(random.below(20)).\(random.below(10))"
        text += ",\"network_type\":\"LTE\",\"mcc\":624,\"mnc\":\(Self.operators[device % 4])"
        text +=
            ",\"cell_id\":\(10_000_000 + device % 5_000 * 256 + random.below(3)),\"area_code\":\(40_000 + device % 40)"
        text += ",\"pci\":\(device % 504),\"rsrp_dbm\":\(-70 - random.below(50)),\"rsrq_db\":\(-6 - random.below(12))"
        text +=
            ",\"sinr_db\":\(random.below(30) - 5),\"download_kbps\":\(random.below(60_000)),\"upload_kbps\":\(random.below(20_000))"
        text +=
            ",\"latency_ms\":\(20 + random.below(200)).\(random.below(10)),\"jitter_ms\":\(random.below(40)).\(random.below(10))"
        text += ",\"loss_pct\":\(random.below(8) == 0 ? random.below(10) : 0)"
        if let event { text += ",\"event\":\"\(event)\"" }
        bytes += Array((text + "}").utf8)
    }

    private mutating func appendIdentifier(_ bytes: inout [UInt8]) {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { bytes.append(45) }
            bytes.append(Self.hex[Int((place < 16 ? high : low) >> UInt64(60 - 4 * (place & 15)) & 15)])
        }
    }

    /// Of a place that is north and east.
    private func degrees(_ value: Int64) -> String {
        "\(value / 10_000_000).\("\(value % 10_000_000 + 10_000_000)".dropFirst())"
    }
}

extension LoadRequest {
    /// An upload of reports as phones send it.
    ///
    /// - Parameters:
    ///   - body: JSON, compressed.
    ///   - key: the idempotency key; nil for none.
    static func reports(_ body: [UInt8], token: String, to host: HostPort, key: String? = nil) -> LoadRequest {
        var headers = [
            ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"), ("Content-Encoding", "gzip"),
        ]
        if let key { headers.append(("Idempotency-Key", key)) }
        return LoadRequest(method: "POST", host: host.description, path: "/v1/reports", headers: headers, body: body)
    }
}
