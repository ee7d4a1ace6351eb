package import Channels
package import Models
internal import ServiceKit

/// What Alertmanager's API v2 is posted: each alarm as an alert that fires until `endsAt`, or is over.
///
/// Labels name an alert, so they are what does not change about an alarm, and its severity, by which people route: when that
/// changes, the alert of the old one is over.
package enum AlertmanagerMessage {
    /// What fires is pushed anew after the channel's interval, and believed for so many intervals without news.
    package static let intervals: UnixMilliseconds = 4

    package static func request(_ call: OutgoingCall, to url: TargetURL, resend: UnixMilliseconds) -> HTTPMessage {
        let alerts = call.deliveries.map { alert($0, at: call.at, validFor: resend * intervals) }
        var headers = [(name: "Content-Type", value: "application/json")]
        if let authorization = call.secrets.authorization { headers.append(("Authorization", authorization)) }
        return HTTPMessage(url: url, headers: headers, body: Array(JSONValue.array(alerts).text.utf8))
    }

    private static func alert(
        _ delivery: OutgoingCall.Delivery, at now: UnixMilliseconds, validFor: UnixMilliseconds
    ) -> JSONValue {
        let alarm = delivery.alarm, time = Timestamp.text(now)
        let end =
            switch delivery.word {
            case "firing": Timestamp.text(now + validFor)
            // A test rings, and is over by itself.
            case "test": Timestamp.text(now + 60_000)
            default: min(alarm.clearedTime ?? time, time)
            }
        // Of times in one form the later one is the greater text.
        return [
            "labels": .object(
                labels(of: alarm, severity: delivery.previous ?? alarm.severity).mapValues { .string($0) }),
            "annotations": ["summary": .string(alarm.problem), "cause": .string(alarm.cause)],
            "startsAt": .string(alarm.raisedTime), "endsAt": .string(max(end, alarm.raisedTime)),
        ]
    }

    private static func labels(of alarm: AlarmFact, severity: Severity) -> [String: String] {
        var labels = [
            "alertname": "Nkul" + (alarm.rule.isEmpty ? "" : ": \(alarm.rule)"), "alarm": alarm.id,
            "severity": severity.rawValue,
        ]
        if let owner = alarm.owner, !owner.name.isEmpty { labels[owner.scheme] = owner.name }
        if let place = alarm.place { labels["cell"] = place }
        return labels
    }
}
