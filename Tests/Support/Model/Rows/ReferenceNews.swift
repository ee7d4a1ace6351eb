/// Which urgent records are news that an alarm counts.
enum ReferenceNews {
    private static let ahead = 300_000
    private static let minute = 60_000

    /// The urgent things that a record reports, by how bad they are, 3 the worst; and for how long each is news, milliseconds.
    static func problems(_ record: ReferenceRecord) -> [(badness: Int, lateness: Int)] {
        var problems: [(badness: Int, lateness: Int)] = []
        let event = record.text("event")
        if event == "emergency" || record.text("trigger") == "emergency" { problems.append((3, 60 * minute)) }
        if event == "no_service" { problems.append((2, 60 * minute)) }
        if event == "call_drop" { problems.append((2, 2 * minute)) }
        if let rating = record.number("rating"), rating <= 2 { problems.append((1, 2 * minute)) }
        return problems
    }

    /// How bad the worst is that a row told in time; 0: nothing.
    static func badness(_ row: ReferenceRow) -> Int {
        let age = row.receivedAt - row.capturedAt
        guard age >= -ahead else { return 0 }
        return problems(row.record).filter { age <= $0.lateness }.map(\.badness).max() ?? 0
    }

    static func isNews(_ row: ReferenceRow) -> Bool { badness(row) > 0 }
}
