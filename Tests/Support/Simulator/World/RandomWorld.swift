/// What a few phones want to send in a few hours: drawn from a seed, small, and full of what goes wrong in the field.
struct RandomWorld {
    /// Uploads in the order of their times.
    private(set) var uploads: [SimulatedUpload] = []
    private var random: SeededRandom
    private let start: Int64
    private let phones: [Phone]
    private var sent: [[ReferenceRecord]]

    private struct Phone {
        var latitude: Double
        var longitude: Double
        var plmn: (mcc: Int, mnc: Int)?
        var serving: (mcc: Int, mnc: Int)?
        var clockError: Int64?
        var counts: Bool
    }

    /// Phones of a world, unless another number is asked for.
    static let phones = 3

    /// Draws a world.
    ///
    /// - Parameters:
    ///   - start: begin of the run, Unix milliseconds.
    ///   - span: how long the phones send, milliseconds.
    init(seed: UInt64, phones count: Int = RandomWorld.phones, uploads uploadCount: Int = 22, start: Int64, span: Int64)
    {
        var random = SeededRandom(seed: seed)
        phones = (0..<count).map { _ in Self.phone(&random) }
        sent = Array(repeating: [], count: count)
        self.start = start
        self.random = random
        // Uploads come in bursts: half of them right after another.
        var time = start
        for index in 0..<uploadCount {
            time += Int64(self.random.below(self.random.chance(500) ? 20 : Int(span) / uploadCount * 4))
            addUpload(index, at: min(time, start + span))
        }
    }

    private static func phone(_ random: inout SeededRandom) -> Phone {
        let networks: [(mcc: Int, mnc: Int)?] = [(624, 1), (624, 2), (208, 15), (310, 410), nil]
        return Phone(
            latitude: random.pick([4.05, 4.0502, 3.87, 10.59, -86.0]) + Double(random.below(50)) / 1e5,
            longitude: random.pick([9.7, 9.7004, 11.52, 14.31]) + Double(random.below(50)) / 1e5,
            plmn: random.pick(networks), serving: random.chance(250) ? (624, 2) : nil,
            clockError: random.chance(300) ? Int64(random.within(-7_200_000...7_200_000)) : nil,
            counts: random.chance(700))
    }

    private mutating func addUpload(_ index: Int, at time: Int64) {
        let phone = random.below(phones.count)
        let kind = random.chance(250) ? "feedback" : "report"
        var records: [ReferenceRecord] = []
        for _ in 0..<random.within(1...3) {
            if random.chance(120), let old = sent[phone].filter({ $0.kind == kind }).randomElement(using: &random) {
                records.append(again(old))
            } else {
                records.append(fresh(kind, phone, time))
                sent[phone].append(records[records.count - 1])
            }
        }
        uploads.append(
            SimulatedUpload(
                phone: phone, sendAt: time, records: records, key: random.chance(500) ? "upload-\(index)" : nil,
                clockError: phones[phone].clockError))
    }

    /// A record sent before: the same, or, now and then, with other content under the same name.
    private mutating func again(_ old: ReferenceRecord) -> ReferenceRecord {
        var record = old
        if random.chance(150) { record.fields["latency_ms"] = .number(Double(random.within(60...90))) }
        return record
    }

    private mutating func fresh(_ kind: String, _ number: Int, _ time: Int64) -> ReferenceRecord {
        let phone = phones[number]
        var record = ReferenceRecord(kind: kind, fields: [:])
        record.fields["captured_at_ms"] = .number(Double(capture(time) + (phone.clockError ?? 0)))
        // Now and then a phone forgets where it was and uses a number again, under another name.
        let isReused = phone.counts && sent[number].count > 3 && random.chance(15)
        let seq = isReused ? 1 + random.below(sent[number].count) : sent[number].count + 1
        if phone.counts { record.fields["seq"] = .number(Double(seq)) }
        if !phone.counts || isReused || random.chance(200) { record.fields["id"] = .text(identifier()) }
        addPlace(to: &record, phone)
        addNetwork(to: &record, phone)
        addMeasurement(to: &record)
        if kind == "feedback" { record.fields["rating"] = .number(Double(random.within(1...5))) }
        return record
    }

    /// Mostly a moment ago; sometimes about as long ago as an alarm may be late, or days, or more than eight, sometimes ahead.
    private mutating func capture(_ time: Int64) -> Int64 {
        switch random.below(100) {
        case 0..<75: time - Int64(random.below(60_000))
        case 75..<92:
            time
                - random.pick(
                    [
                        100_000, 121_000, 1_200_000, 1_800_000, 2_400_000, 3_590_000, 3_601_000, 26 * 3_600_000,
                        71 * 3_600_000,
                    ])
        case 92..<96: time - 8 * 86_400_000 - Int64(random.within(600_000...86_400_000))
        default: time + Int64(random.pick([60_000, 3_600_000]))
        }
    }

    private mutating func identifier() -> String {
        let digits = String(random.next() >> 16 | 1 << 47, radix: 16)
        return "0192f0c1-7a5b-7000-8abc-\(digits)"
    }

    private mutating func addPlace(to record: inout ReferenceRecord, _ phone: Phone) {
        guard random.chance(880) else { return }
        let latitude = phone.latitude + Double(random.within(-40...40)) / 1e4 * (random.chance(300) ? 1 : 0.01)
        let longitude = phone.longitude + Double(random.within(-40...40)) / 1e6
        record.fields["latitude"] = .number((latitude * 1e5).rounded() / 1e5)
        record.fields["longitude"] = .number((longitude * 1e5).rounded() / 1e5)
        if random.chance(500) {
            record.fields["accuracy_m"] = .number(Double(random.pick([8, 15, 700, 900, 1500, 12_000])))
        }
        if random.chance(200) { record.fields["speed_mps"] = .number(Double(random.pick([3, 20, 60]))) }
        if random.chance(40) { record.fields["mock_location"] = .flag(true) }
    }

    private mutating func addNetwork(to record: inout ReferenceRecord, _ phone: Phone) {
        if random.chance(900) {
            record.fields["network_type"] = .text(random.pick(["LTE", "LTE", "LTE_CA", "LTE", "NR_SA", "NONE"]))
        }
        if let plmn = phone.plmn {
            record.fields["mcc"] = .number(Double(plmn.mcc))
            record.fields["mnc"] = .number(Double(plmn.mnc))
        }
        if let serving = phone.serving {
            record.fields["serving_mcc"] = .number(Double(serving.mcc))
            record.fields["serving_mnc"] = .number(Double(serving.mnc))
        }
    }

    private mutating func addMeasurement(to record: inout ReferenceRecord) {
        if random.chance(700) {
            record.fields["download_kbps"] = .number(Double(random.below(1 << random.within(1...20))))
        }
        if random.chance(500) { record.fields["latency_ms"] = .number(Double(random.below(9000)) / 10) }
        // Without chance of its own, which would change what every seed brings.
        if let latency = record.number("latency_ms"), Int(latency * 10) % 4 == 1 {
            record.fields["test_method"] = .text("ndt7")
            record.fields["test_bytes"] = .number((latency * 1_000).rounded())
            record.fields["test_loaded_rtt_ms"] = .number((latency * 20).rounded() / 10)
        }
        if random.chance(600) { record.fields["rsrp_dbm"] = .number(Double(random.within(-139 ... -44))) }
        if random.chance(300) { record.fields["loss_pct"] = .number(Double(random.below(1000)) / 10) }
        if random.chance(300) {
            record.fields["event"] = .text(
                random.pick([
                    "call_drop", "no_service", "emergency", "emergency", "emergency", "slow_data", "call_setup_failure",
                ]))
        }
        if random.chance(30) { record.fields["rsrp_dbm"] = .number(random.pick([-200, 5])) }
        if random.chance(10) { record.fields["latency_ms"] = .number(2_147_483_647) }
    }
}
