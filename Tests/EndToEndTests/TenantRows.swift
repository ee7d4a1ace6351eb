import PipelineTesting

/// Reports whose SIM and serving network are all pairs, each with a number and a cell of its own.
struct TenantRows {
    /// Mobile network codes of Cameroon; nil is a network nobody knows.
    private static let networks: [Int?] = [nil, 1, 2, 4]
    /// The phone whose owner does not share its rows with operators; it sends nothing urgent.
    static let unsharedPhone = 2

    /// Records of each of three phones.
    let phones: [[ReferenceRecord]]
    private let now: Int

    init(count: Int, now: Int) {
        self.now = now
        phones = (0..<3).map { phone in
            (0..<count / 3).map { Self.record(3 * $0 + phone, seq: $0 + 1, phone: phone, now: now) }
        }
    }

    private static func record(_ number: Int, seq: Int, phone: Int, now: Int) -> ReferenceRecord {
        var fields: [String: ReferenceRecord.Value] = [
            "captured_at_ms": .number(Double(now - 60_000)), "seq": .number(Double(seq)), "latitude": .number(4.05),
            "longitude": .number(Double(9_000 + 6 * number) / 1000), "network_type": .text("LTE"),
            "download_kbps": .number(Double(number)),
        ]
        put(networks[number % 4], "mcc", "mnc", &fields)
        put(networks[number / 4 % 4], "serving_mcc", "serving_mnc", &fields)
        if phone != unsharedPhone, number / 16 % 2 == 0 { fields["event"] = .text("emergency") }
        return ReferenceRecord(kind: "report", fields: fields)
    }

    private static func put(
        _ network: Int?, _ mcc: String, _ mnc: String, _ fields: inout [String: ReferenceRecord.Value]
    ) {
        guard let network else { return }
        fields[mcc] = .number(624)
        fields[mnc] = .number(Double(network))
    }

    /// The numbers of the rows that somebody finds among raw rows.
    func numbers(for access: TenantAccess) -> [Int] {
        phones.enumerated().flatMap { phone, records in
            records.filter { access.networks == nil || phone != Self.unsharedPhone && access.sees($0) }
        }
        .map { Int($0.number("download_kbps") ?? -1) }.sorted()
    }

    /// The alarms that somebody is told.
    func alarms(for access: TenantAccess) -> Set<ReferenceAlarm> {
        var model = ReferenceModel()
        for (phone, records) in phones.enumerated() {
            _ = model.submit(records.filter(access.sees), device: phone + 1, receivedAt: now)
        }
        return model.alarms
    }
}
