/// Urgent records by the alarm they count in, alarms in the order of their first record.
struct UrgentGroups {
    private(set) var groups: [(key: AlarmKey, records: [UrgentRecord])] = []
    private var places: [AlarmKey: Int] = [:]

    mutating func append(_ records: [UrgentRecord]) {
        for record in records {
            if let place = places[record.key] {
                groups[place].records.append(record)
            } else {
                places[record.key] = groups.count
                groups.append((record.key, [record]))
            }
        }
    }
}
