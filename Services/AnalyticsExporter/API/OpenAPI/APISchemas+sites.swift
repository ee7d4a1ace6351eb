internal import Alarms
internal import Models
internal import ServiceKit

extension APISchemas {
    /// What became of a command to a site.
    static let siteTask: JSONValue = object(
        [
            "id": text, "href": text, "act": words(SiteCommand.Act.allCases.map(\.rawValue)), "contact": text,
            "state": words(SiteTask.State.allCases.map(\.rawValue)), "created": time, "expires": time, "decided": time,
            "code": text, "reason": text, "result": text, "site": count, "sensor": count, "door": count,
        ], optional: ["decided", "code", "reason", "result", "site", "sensor", "door"])

    /// How a sensor is, in the document of its alarm.
    static let sensorReading: JSONValue = object(
        [
            "id": count, "name": text, "state": words(["HIGH", "LOW"]), "value": ["type": "number"],
            "battery_pct": count, "tamper": flag, "at": time,
        ], optional: ["state", "value", "battery_pct", "at"])

    /// Any document of a site; what each may have is judged as a whole.
    static let anySiteDocument: JSONValue = ["type": "object"]

    /// What is set, as `docs/sites.md` has it.
    static func siteDocument(_ kind: SiteKind) -> JSONValue {
        switch kind {
        case .site:
            only(
                [
                    "name": name, "zone": zoneName,
                    "devices": maybe(list(device, 0...100)), "panel": maybe(device),
                    "exit_delay_s": maybe(delay), "code": code, "code_set": flag,
                ], ["name", "zone"])
        case .sensor:
            only(
                [
                    "site": siteNumber, "name": name,
                    "severity": maybe(words(SensorDocument.severities.map(\.rawValue))),
                    "type": maybe(words(SensorDocument.types)), "always": maybe(flag), "entry_delay_s": maybe(delay),
                    "panel": maybe(panel),
                ], ["site", "name"])
        case .door: only(["site": siteNumber, "name": name, "device": device], ["site", "name", "device"])
        case .key:
            only(
                [
                    "door": siteNumber, "contact": contactName, "tenant": name,
                    "schedule": list(hours, 1...32),
                ], ["door", "contact", "schedule"])
        }
    }

    /// Of a site, a sensor or a door.
    static let siteNumber: JSONValue = ["type": "integer", "minimum": 1, "maximum": 16_777_215]
    private static let device: JSONValue = ["type": "integer", "minimum": 1, "maximum": 2_147_483_647]
    private static let delay: JSONValue = ["type": "integer", "minimum": 0, "maximum": 600]
    private static let name: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
    private static let code: JSONValue = ["type": ["string", "null"], "pattern": "^[0-9]{4,8}$"]
    private static let panel: JSONValue = only(
        [
            "account": ["type": "string", "pattern": "^[0-9A-Fa-f]{3,16}$"],
            "zone": ["type": "integer", "minimum": 0, "maximum": 9_999],
        ], ["account", "zone"])

    /// When a key opens; on all days if none is named.
    private static let hours: JSONValue = only(
        ["days": maybe(["type": "array", "minItems": 1, "items": words(weekdays)]), "from": minute, "to": minute],
        ["from", "to"])
}
