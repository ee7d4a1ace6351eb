internal import ServiceKit

/// By CAMARA's Population Density Data.
extension APISchemas {
    static let densityRequest: JSONValue = only(
        [
            "area": ["oneOf": [polygon, geohashes]], "startTime": ["type": "string", "format": "date-time"],
            "endTime": ["type": "string", "format": "date-time"],
            "precision": [
                "type": "integer", "minimum": 1, "maximum": 12, "default": 7,
                "description": "letters of geohashes; only with POLYGON; given are 4 to 7",
            ],
        ], ["area", "startTime", "endTime"])

    private static let polygon: JSONValue = only(
        [
            "areaType": ["const": "POLYGON"],
            "boundary": list(
                only(
                    [
                        "latitude": ["type": "number", "minimum": -85, "maximum": 85],
                        "longitude": ["type": "number", "minimum": -180, "maximum": 180],
                    ], ["latitude", "longitude"]), 3...15),
        ], ["areaType", "boundary"])

    private static let geohashes: JSONValue = only(
        ["areaType": ["const": "GEOHASHLIST"], "geohashes": list(geohash, 1...1_000)], ["areaType", "geohashes"])

    private static let geohash: JSONValue = [
        "type": "string", "pattern": "^[0-9bcdefghjkmnpqrstuvwxyz]{1,12}$",
    ]

    static let density: JSONValue = object([
        "status": words(["SUPPORTED_AREA", "PART_OF_AREA_NOT_SUPPORTED", "AREA_NOT_SUPPORTED"]), "statusInfo": text,
        "timedPopulationDensityData": list(
            object([
                "startTime": time, "endTime": time,
                "cellPopulationDensityData": list(
                    object(
                        [
                            "geohash": geohash, "dataType": words(["NO_DATA", "LOW_DENSITY", "DENSITY_ESTIMATION"]),
                            "minPplDensity": count, "maxPplDensity": count, "pplDensity": count,
                        ], optional: ["minPplDensity", "maxPplDensity", "pplDensity"])),
            ])),
    ])

    static let densityFault: JSONValue = object(
        [
            "status": ["enum": [400, 403, 422]], "code": words(DensityFault.Code.allCases.map(\.rawValue)),
            "message": text, "field": text,
        ], optional: ["field"])
}
