import Models

/// Moves whole traces onto towns, their operators onto Cameroon's and their dates onto one day. Pure and seeded: a trace goes
/// to the same place whatever else is imported with it.
struct Relocation: Sendable {
    /// Operators and their weights. The weights are invented; they follow no statistics.
    static let operators: [(plmn: PLMN, weight: UInt64)] = [
        (PLMN(rawValue: 624_001), 40), (PLMN(rawValue: 624_002), 35), (PLMN(rawValue: 624_004), 15),
        (PLMN(rawValue: 624_003), 10),
    ]
    private static let day: UnixMilliseconds = 86_400_000

    let towns: [Town]
    let seed: UInt64

    /// Where a trace goes: towns are as likely as they are populous.
    func destination(of device: String) -> (town: Town, plmn: PLMN) {
        var random = SplitMix64(seed: seed, name: device)
        let town = towns[random.index(weights: towns.map(\.population))]
        return (town, Self.operators[random.index(weights: Self.operators.map(\.weight))].plmn)
    }

    /// Moves the rows of one trace by one offset, so that its first position is the town's; rows of a trace without any
    /// position get the town's centre, accurate to 1 000 m.
    func move(_ rows: inout [RecordingRow], hasOperator: [Bool], to day: Int64) {
        guard let first = rows.first else { return }
        let (town, plmn) = destination(of: first.device)
        let origin = rows.first { $0.values[ColumnID.latitude] != nil && $0.values[ColumnID.longitude] != nil }
        let shift = (day - Self.dayNumber((rows.map(\.capturedAt).min() ?? 0))) * Self.day
        for index in rows.indices {
            rows[index].capturedAt += shift
            rows[index].sentAt = rows[index].sentAt.map { $0 + shift }
            if hasOperator[index] { Self.setOperator(plmn, &rows[index]) }
            if let origin {
                Self.offset(&rows[index], from: origin, to: town)
            } else {
                Self.place(&rows[index], in: town)
            }
        }
    }

    /// Days since 1970-01-01 UTC.
    static func dayNumber(_ time: UnixMilliseconds) -> Int64 { time >= 0 ? time / day : (time - day + 1) / day }

    private static func setOperator(_ plmn: PLMN, _ row: inout RecordingRow) {
        row.values[ColumnID.mcc] = plmn.mcc
        row.values[ColumnID.mnc] = plmn.mnc
        row.values[ColumnID.servingMCC] = nil
        row.values[ColumnID.servingMNC] = nil
    }

    private static func offset(_ row: inout RecordingRow, from origin: RecordingRow, to town: Town) {
        guard let latitude = row.values[ColumnID.latitude], let longitude = row.values[ColumnID.longitude] else {
            return
        }
        row.values[ColumnID.latitude] = latitude - (origin.values[ColumnID.latitude] ?? 0) + town.latitude
        row.values[ColumnID.longitude] = longitude - (origin.values[ColumnID.longitude] ?? 0) + town.longitude
    }

    private static func place(_ row: inout RecordingRow, in town: Town) {
        row.values[ColumnID.latitude] = town.latitude
        row.values[ColumnID.longitude] = town.longitude
        row.values[ColumnID.accuracy] = 10_000
        row.values[ColumnID.locationSource] = nil
    }
}
