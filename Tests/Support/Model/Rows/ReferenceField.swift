/// What the device API promises about a field: its stored unit and what is plausible. A list of its own, on purpose.
///
/// Numbers that are not listed are not compared: add new fields here.
struct ReferenceField {
    let scale: Double
    let low: Double
    let high: Double

    private init(_ scale: Double, _ low: Double, _ high: Double) {
        self.scale = scale
        self.low = low
        self.high = high
    }

    /// Fields with a number in them, and the plausible values in their natural unit.
    static let numbers: [String: ReferenceField] = [
        "seq": .init(1, 1, 9_007_199_254_740_992),
        "latitude": .init(1e7, -90, 90), "longitude": .init(1e7, -180, 180),
        "accuracy_m": .init(10, 0, 20_000_000), "speed_mps": .init(100, 0, 500),
        "mcc": .init(1, 1, 999), "mnc": .init(1, 0, 999), "serving_mcc": .init(1, 1, 999),
        "serving_mnc": .init(1, 0, 999), "sim_slot": .init(1, 0, 7), "cell_id": .init(1, 0, 68_719_476_735),
        "area_code": .init(1, 0, 16_777_215), "pci": .init(1, 0, 1007), "channel": .init(1, 0, 3_279_165),
        "rsrp_dbm": .init(10, -156, -31), "rsrq_db": .init(10, -43, 20), "sinr_db": .init(10, -23, 40),
        "rssi_dbm": .init(10, -121, -25), "cqi": .init(1, 0, 15),
        "download_kbps": .init(1, 0, 10_000_000), "upload_kbps": .init(1, 0, 10_000_000),
        "latency_ms": .init(10, 0, 60_000), "jitter_ms": .init(10, 0, 60_000), "loss_pct": .init(100, 0, 100),
        "test_bytes": .init(1, 0, 1_000_000_000_000), "test_duration_ms": .init(1, 0, 600_000),
        "test_min_rtt_ms": .init(10, 0, 60_000), "test_loaded_rtt_ms": .init(10, 0, 60_000),
        "rating": .init(1, 1, 5),
    ]

    /// Fields with one of a few words, in the order of their codes.
    static let words: [String: [String]] = [
        "network_type": [
            "UNKNOWN", "GSM", "GPRS", "EDGE", "UMTS", "HSPA", "HSPA_PLUS", "LTE", "LTE_CA", "NR_NSA", "NR_SA", "WIFI",
            "ETHERNET", "NONE",
        ],
        "event": ["call_drop", "call_setup_failure", "no_service", "slow_data", "emergency"],
        "location_source": ["gps", "network", "cell"], "plmn_source": ["sim", "network", "manual"],
        "trigger": ["prompt", "voluntary", "emergency"], "test_method": ["ndt7", "echo", "other"],
    ]

    /// Narrower ranges of a generation.
    static let radio: [String: [String: ClosedRange<Double>]] = [
        "4G": ["rsrp_dbm": -140 ... -43, "pci": 0...503, "cell_id": 0...268_435_455],
        "5G": ["rsrp_dbm": -156 ... -31], "2G": ["rssi_dbm": -113 ... -51],
    ]

    /// Generation of a network type.
    static func technology(_ networkType: String?) -> String {
        switch networkType {
        case "GSM", "GPRS", "EDGE": "2G"
        case "UMTS", "HSPA", "HSPA_PLUS": "3G"
        case "LTE", "LTE_CA": "4G"
        case "NR_NSA", "NR_SA": "5G"
        case "WIFI", "ETHERNET", "NONE": networkType!
        default: "UNKNOWN"
        }
    }

    /// The value in stored units: times the scale, half away from zero.
    func stored(_ value: Double) -> Int {
        Int((value * scale).rounded(.toNearestOrAwayFromZero))
    }

    /// The fields of a record that are out of their range, by name.
    private static func faults(in record: ReferenceRecord) -> Set<String> {
        let narrower = radio[technology(record.text("network_type"))] ?? [:]
        var faults: Set<String> = []
        for (name, value) in record.fields {
            switch value {
            case .number(let number):
                guard let field = numbers[name] else { continue }
                if number < field.low || number > field.high { faults.insert(name) }
                if let range = narrower[name], !range.contains(number) { faults.insert(name) }
            case .text(let text):
                if let words = words[name], !words.contains(text) { faults.insert(name) }
            case .flag: continue
            }
        }
        if record.number("latitude") == 0, record.number("longitude") == 0 { faults.insert("latitude") }
        let place: Set = ["latitude", "longitude"]
        if !faults.isDisjoint(with: place.union(["accuracy_m"])) {
            faults.formUnion(place.filter { record.fields[$0] != nil })
        }
        return faults
    }

    /// What a record says without what cannot be, and the names of that; nil if the record is not taken for it.
    static func taken(_ record: ReferenceRecord) -> (record: ReferenceRecord, leftOut: Set<String>)? {
        let faults = faults(in: record), vital: Set = ["id", "seq", "captured_at_ms", "rating"]
        guard faults.isDisjoint(with: vital) else { return nil }
        var taken = record
        for name in faults { taken.fields[name] = nil }
        let saysNothing = taken.fields.keys.allSatisfy(vital.subtracting(["rating"]).contains)
        return saysNothing && !faults.isEmpty ? nil : (taken, faults)
    }
}
