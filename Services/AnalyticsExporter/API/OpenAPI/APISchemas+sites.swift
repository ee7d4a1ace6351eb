internal import Alarms
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
            document(
                [
                    "name": name, "zone": text, "devices": list(device), "panel": device, "exit_delay_s": delay,
                    "code": code, "code_set": flag,
                ], ["name", "zone"])
        case .sensor:
            document(
                [
                    "site": number, "name": name, "severity": words(["warning", "minor", "major", "critical"]),
                    "type": text, "always": flag, "entry_delay_s": delay, "panel": zone,
                ], ["site", "name"])
        case .door: document(["site": number, "name": name, "device": device], ["site", "name", "device"])
        case .key:
            document(
                ["door": number, "contact": name, "tenant": name, "schedule": list(hours)],
                ["door", "contact", "schedule"])
        }
    }

    private static let number: JSONValue = ["type": "integer", "minimum": 1, "maximum": 16_777_215]
    private static let device: JSONValue = ["type": "integer", "minimum": 1, "maximum": 2_147_483_647]
    private static let delay: JSONValue = ["type": "integer", "minimum": 0, "maximum": 600]
    private static let name: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
    private static let code: JSONValue = ["type": ["string", "null"], "pattern": "^[0-9]{4,8}$"]
    private static let zone: JSONValue = object(["account": text, "zone": count])
    private static let hours: JSONValue = object(["days": list(text), "from": text, "to": text], optional: ["days"])

    private static func document(_ members: [String: JSONValue], _ required: [String]) -> JSONValue {
        ["type": "object", "properties": .object(members), "required": .array(required.map { .string($0) })]
    }
}
