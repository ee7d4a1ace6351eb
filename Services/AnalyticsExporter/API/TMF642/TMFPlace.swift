/// What a path of TM Forum TMF642 v4 means.
enum TMFPlace: Equatable {
    case alarms
    case alarm(String)
    case tasks(TMFTaskKind)
    case task(TMFTaskKind, String)
    /// Known to TMF642, and not built here: why.
    case notBuilt(String)

    /// Where documents say they are.
    static let base = "/tmf-api/alarmManagement/v4/"
    private static let bases = [base, "/tmf-api/alarm/v4/"]

    /// nil for any other path.
    init?(_ path: String) {
        guard let base = Self.bases.first(where: path.hasPrefix) else { return nil }
        let parts = path.dropFirst(base.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), parts.count == 1 || AlarmService.isIdentifier(parts[1]) else { return nil }
        let id = parts.count == 2 ? parts[1] : nil
        switch parts[0] {
        case "alarm": self = id.map(Self.alarm) ?? .alarms
        case "groupAlarms", "unGroupAlarms": self = .notBuilt("alarms are not grouped by hand")
        case "hub": self = .notBuilt("no callbacks are sent; follow /v1/alarms/stream or the alert topics")
        case let word:
            guard let kind = TMFTaskKind(rawValue: word) else { return nil }
            self = id.map { .task(kind, $0) } ?? .tasks(kind)
        }
    }
}
