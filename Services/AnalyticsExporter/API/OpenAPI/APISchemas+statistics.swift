internal import ExporterStores
internal import Models
internal import Releases
internal import ServiceKit

extension APISchemas {
    private static let number: JSONValue = ["type": ["number", "null"]]
    private static let interval: JSONValue = [
        "type": ["array", "null"], "items": ["type": "number"], "minItems": 2, "maxItems": 2,
    ]

    static let heatmap: JSONValue = object(
        [
            "type": ["const": "FeatureCollection"], "programme": text, "metric": text, "unit": text,
            "plmn": orNull("string"), "technology": orNull("string"), "scope": orNull("string"),
            "stratum": orNull("string"), "level": count, "from_ms": milliseconds, "to_ms": milliseconds,
            "complete_to": ["type": ["string", "null"], "format": "date-time"], "complete_to_ms": orNull("integer"),
            "as_of": ["type": "string", "format": "date-time"], "as_of_ms": milliseconds, "release": text,
            "method": text,
            "quantile": ["type": "number"], "below": number,
            "notes": ["type": "object", "additionalProperties": text],
            "features": list(
                object([
                    "type": ["const": "Feature"],
                    "geometry": object(["type": ["const": "Polygon"], "coordinates": ["type": "array"]]),
                    "properties": object(
                        [
                            "quadkey": text, "state": words(CellFigures.State.allCases.map(\.rawValue)),
                            "value": number,
                            "p10": number, "p50": number, "p90": number, "samples": count, "devices": orNull("integer"),
                            "devices_at_least": count, "effective_devices": number,
                            "method": words(CellFigures.Method.allCases.map(\.rawValue)), "interval": interval,
                            "below": number, "below_interval": interval, "release": text,
                        ], optional: ["below", "below_interval"]),
                ])),
        ], optional: ["plmn", "technology", "scope", "stratum"])

    static let events: JSONValue = object(
        [
            "programme": text, "metric": text, "bucket": words(["5min", "hour", "day"]), "level": count,
            "from_ms": milliseconds, "to_ms": milliseconds, "release": text,
            "notes": ["type": "object", "additionalProperties": text],
            "complete_to": ["type": ["string", "null"], "format": "date-time"], "complete_to_ms": orNull("integer"),
            "events": list(
                object(
                    [
                        "quadkey": orNull("string"), "plmn": text, "scope": text, "from_ms": milliseconds,
                        "to_ms": milliseconds, "event": text, "n": count, "devices": orNull("integer"),
                        "devices_at_least": count, "state": words(["ok", "dominated"]),
                    ], optional: ["plmn", "scope"])),
        ], optional: ["bucket"])

    private static let outcomes = ["shown": count, "answered": count, "ignored": count, "dismissed": count]

    static let engagement: JSONValue = object(
        [
            "from": ["type": "string", "format": "date"], "to": ["type": "string", "format": "date"], "time_zone": text,
            "complete_to": time, "complete_to_ms": milliseconds,
            "versions": list(total("policy_version")), "rules": list(total("rule")), "networks": list(total("plmn")),
            "days": list(
                object(
                    outcomes.merging([
                        "day": ["type": "string", "format": "date"], "policy_version": text, "plmn": text, "rule": text,
                    ]) { $1 }, optional: ["rule"])),
        ], optional: ["complete_to", "complete_to_ms"])

    static let campaigns: JSONValue = object([
        "as_of": time, "as_of_ms": milliseconds, "complete_to": ["type": ["string", "null"], "format": "date-time"],
        "complete_to_ms": orNull("integer"),
        "from": date, "to": date, "time_zone": text, "coverage": object(["level": count, "days": count]),
        "campaigns": list(
            object(
                [
                    "campaign": text, "networks": list(text), "document": ["type": "object"],
                    "ever": object(["grants": count, "spent_xaf": count, "devices": count]),
                    "total": object(campaignCounts),
                    "days": list(object(campaignCounts.merging(["day": date, "devices": count]) { $1 })),
                ], optional: ["document"])),
    ])

    private static let date: JSONValue = ["type": "string", "format": "date"]

    private static let campaignCounts: [String: JSONValue] = [
        "grants": count, "granted_xaf": count, "paid": count, "paid_xaf": count, "open": count, "open_xaf": count,
        "held": count, "rejected": count, "reversed": count, "spent_xaf": count,
        "refused": ["type": "object", "additionalProperties": count], "new_devices": count, "useful": count,
        "cost_per_useful_xaf": number, "new_cells": count,
    ]

    /// Everything together of what has a name.
    private static func total(_ name: String) -> JSONValue {
        let shares = ["answered_share", "ignored_share", "dismissed_share"].map { ($0, number) }
        return object(outcomes.merging([name: text]) { $1 }.merging(shares) { $1 })
    }

    static let exportList: JSONValue = object(
        [
            "tenant": text, "at_ms": milliseconds, "kept_days": count, "complete_to_ms": milliseconds, "next": text,
            "files": list(
                object(
                    [
                        "name": text, "content": words(ExportSpan.Content.allCases.map(\.rawValue)),
                        "period": words(["hour", "day"]), "from_ms": milliseconds, "to_ms": milliseconds,
                        "state": words(["current", "rewriting"]), "version": count, "rows": count, "bytes": count,
                        "sha256": ["type": "string", "pattern": "^[0-9a-f]{64}$"], "made_ms": milliseconds,
                    ], optional: ["rows", "bytes", "sha256", "made_ms"])),
        ], optional: ["complete_to_ms", "next"])

    private static let releaseClasses = ReleaseClass.allCases.map(\.name)

    static let releaseList: JSONValue = object(
        [
            "at_ms": milliseconds, "next": text, "none": words(ReleaseListDocument.Missing.allCases.map(\.rawValue)),
            "releases": list(
                object([
                    "id": text, "class": words(releaseClasses), "programme": text, "network": text,
                    "from_ms": milliseconds, "to_ms": milliseconds, "k": count, "trust": text, "atoms": count,
                    "bytes": count, "sha256": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
                    "made_at_ms": milliseconds,
                ])),
            "rounds": list(
                object(
                    [
                        "class": words(releaseClasses), "from_ms": milliseconds, "to_ms": milliseconds, "k": count,
                        "trust": text, "releases": count,
                        "reason": words(ReleaseRoundDocument.Reason.allCases.map(\.rawValue)),
                        "made_at_ms": milliseconds,
                    ], optional: ["reason"])),
        ], optional: ["next", "none"])
}
