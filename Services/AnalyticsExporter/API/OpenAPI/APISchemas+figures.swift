internal import ServiceKit
internal import Statistics

extension APISchemas {
    private static let number: JSONValue = ["type": ["number", "null"]]
    private static let interval: JSONValue = [
        "type": ["array", "null"], "items": ["type": "number"], "minItems": 2, "maxItems": 2,
    ]
    private static let notes: JSONValue = ["type": "object", "additionalProperties": text]
    private static let place: JSONValue = object(
        [
            "kind": words(["everywhere", "region", "town", "bbox", "quadkey"]), "id": text, "english": text,
            "french": text,
            "boundary": text, "level": count, "quadkey": text,
        ], optional: ["id", "english", "french", "boundary", "level", "quadkey"])

    /// What every answer with figures says of itself.
    private static let figureHead: [String: JSONValue] = [
        "as_of": time, "as_of_ms": milliseconds, "complete_to": ["type": ["string", "null"], "format": "date-time"],
        "complete_to_ms": orNull("integer"), "programme": text, "place": place, "release": text,
        "from_ms": milliseconds, "to_ms": milliseconds, "method": text,
    ]
    private static let metricHead: [String: JSONValue] = [
        "metric": text, "unit": text, "quantile": ["type": "number"], "below": number, "notes": notes,
    ]
    private static let annotations: JSONValue = list(
        object(
            [
                "kind": words([
                    "restore", "erasure", "outage", "incomplete", "more_erasures", "more_outages",
                ]), "from_ms": milliseconds, "to_ms": orNull("integer"), "received_day": text, "rows": count,
                "alarm": text,
                "plmn": text, "quadkey": orNull("string"), "severity": text,
            ], optional: ["received_day", "rows", "alarm", "plmn", "quadkey", "severity"]))

    private static let figures: [String: JSONValue] = [
        "n": orNull("integer"), "devices": orNull("integer"), "devices_at_least": orNull("integer"),
        "effective_devices": number, "method": orNull("string"),
        "state": words(CellFigures.State.allCases.map(\.rawValue)), "value": number, "p10": number, "p50": number,
        "p90": number, "interval": interval, "below": number, "below_interval": interval,
    ]

    static let kpis: JSONValue = object(
        joined(
            figureHead, metricHead,
            [
                "annotations": annotations, "bucket": words(PointSeries.names), "plmn": orNull("string"),
                "scope": orNull("string"),
                "technology": orNull("string"), "stratum": orNull("string"),
                "points": list(
                    object(
                        joined(figures, ["from_ms": milliseconds, "to_ms": milliseconds, "complete": flag]),
                        optional: ["below", "below_interval"])),
            ]), optional: ["plmn", "scope", "technology", "stratum"])

    static let comparison: JSONValue = object(
        joined(
            figureHead, metricHead,
            [
                "annotations": annotations, "technology": orNull("string"),
                "better": ["enum": ["higher", "lower", nil]],
                "ranking": words(["complete", "insufficient"]), "scale": interval,
                "networks": list(
                    object(
                        joined(figures, ["plmn": text, "rank": orNull("integer"), "better_than": list(text)]),
                        optional: ["below", "below_interval"])),
            ]))

    private static let openInterval: JSONValue = [
        "type": ["array", "null"], "items": number, "minItems": 2, "maxItems": 2,
    ]
    private static let released: [String: JSONValue] = [
        "n_at_least": orNull("integer"), "devices_at_least": orNull("integer"), "effective_devices": number,
        "state": words(["ok", "low_density", "no_data"]), "value": number, "between": openInterval,
        "interval": openInterval, "below": number, "below_between": interval, "below_interval": interval,
    ]
    private static let belowOfReleased: Set<String> = ["below", "below_between", "below_interval"]
    private static let releasedHead: [String: JSONValue] = joined(
        figureHead, metricHead, ["technology": orNull("string")])

    static let releasedSeries: JSONValue = object(
        joined(
            releasedHead,
            [
                "bucket": words(ReleasedService.buckets), "plmn": orNull("string"),
                "points": list(
                    object(
                        joined(released, ["partial": flag, "from_ms": milliseconds, "to_ms": milliseconds]),
                        optional: belowOfReleased)),
            ]))

    static let releasedComparison: JSONValue = object(
        joined(
            releasedHead,
            [
                "better": ["enum": ["higher", "lower", nil]], "ranking": words(["complete", "insufficient"]),
                "scale": interval,
                "networks": list(
                    object(
                        joined(
                            released,
                            ["partial": flag, "plmn": text, "rank": orNull("integer"), "better_than": list(text)]),
                        optional: belowOfReleased)),
            ]))

    static let releasedMap: JSONValue = object(
        joined(
            releasedHead.filter { $0.key != "place" },
            [
                "type": words(["FeatureCollection"]), "level": count, "plmn": orNull("string"),
                "features": list(
                    object([
                        "type": words(["Feature"]), "geometry": ["type": "object"],
                        "properties": object(joined(released, ["quadkey": text]), optional: belowOfReleased),
                    ])),
            ]))

    static let cellRows: JSONValue = list(
        object([
            "quadkey": text, "latitude": ["type": "number"], "longitude": ["type": "number"],
            "state": words(CellFigures.State.allCases.map(\.rawValue)), "value": number, "p10": number, "p50": number,
            "p90": number, "interval_low": number, "interval_high": number, "samples": count,
            "devices": orNull("integer"), "devices_at_least": count, "below": number, "release": text,
        ]))

    static let regions: JSONValue = object([
        "source": text,
        "regions": list(
            object([
                "id": text, "kind": words(["region", "town"]), "english": text, "french": text, "boundary": text,
                "cells": list(text),
            ])),
    ])

    static let relation: JSONValue = object(
        joined(
            figureHead,
            [
                "technology": orNull("string"), "plmn": orNull("string"), "x": object(["metric": text, "unit": text]),
                "y": object(["metric": text]), "notes": notes,
                "finding": words(MonotoneRelation.Finding.allCases.map(\.rawValue)), "pairs": count, "devices": count,
                "ratings_without_x": count, "strength": number, "strength_interval": interval,
                "curve": list(
                    object([
                        "x_from": number, "x_to": number, "n": count, "devices": count, "value": number,
                        "interval": interval,
                    ])),
            ]))

    static let words: JSONValue = object(
        joined(
            figureHead,
            [
                "technology": orNull("string"), "plmn": orNull("string"), "rating_at_most": count, "ratings": count,
                "comments": count, "devices_of_a_word": count,
                "words": list(object(["word": text, "devices": count])),
            ]))

    static let scores: JSONValue = object(
        joined(
            figureHead,
            [
                "annotations": annotations, "technology": orNull("string"),
                "profile": object([
                    "id": text, "version": text, "title": text, "source": text, "method": text, "scale": interval,
                ]),
                "scores": list(
                    object([
                        "plmn": text, "score": number,
                        "parts": list(
                            object([
                                "id": text, "points": number, "missing": list(text),
                                "items": list(
                                    object([
                                        "id": text, "metric": orNull("string"), "statistic": orNull("string"),
                                        "value": number, "n": count, "weight": number, "share": number,
                                        "points": number,
                                    ])),
                            ])),
                        "quality": object([
                            "level": ["type": "integer", "minimum": 1, "maximum": 5], "version": count,
                            "devices_at_least": count,
                            "effective_devices": number, "days": number, "cells": number,
                        ]),
                    ])),
            ]))

    static let scoreProfiles: JSONValue = object([
        "as_of": time, "as_of_ms": milliseconds, "complete_to": ["type": ["string", "null"], "format": "date-time"],
        "complete_to_ms": orNull("integer"),
        "profiles": list(object(["id": text, "version": text, "title": text, "source": text, "method": text])),
        "quality": object([
            "version": count,
            "levels": list(
                object(["level": count, "devices": count, "effective_devices": number, "days": number, "cells": number])
            ),
        ]),
    ])

    private static func joined(_ members: [String: JSONValue]...) -> [String: JSONValue] {
        members.reduce(into: [:]) { all, some in all.merge(some) { $1 } }
    }
}
