package import IngestUploads
package import Models

/// The body of `POST /v1/me/erasures`, and what an operator asks for, checked.
package struct ErasureWish: Decodable {
    private struct Scope: Decodable {
        let all: Bool?
        let from: String?
        let to: String?
        let polygon: [[Double]]?
    }

    private let scope: Scope

    /// Corners of a polygon.
    static let mostCorners = 1_000

    /// Reads and checks a body.
    ///
    /// - Parameter now: when it is asked for; what is captured later is in no scope.
    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault.
    package static func read(_ body: [UInt8], now: UnixMilliseconds) throws(DeviceAPIError) -> ErasureScope {
        try DeviceBody.decode(ErasureWish.self, from: body).resolved(now)
    }

    private func resolved(_ now: UnixMilliseconds) throws(DeviceAPIError) -> ErasureScope {
        let hasPart = scope.from != nil || scope.to != nil || scope.polygon != nil
        if scope.all == true {
            guard !hasPart else {
                throw DeviceAPIError(
                    .outOfRange, "scope is all, or a part: from and to, polygon, or both", field: "scope")
            }
            return .everything
        }
        guard hasPart else {
            throw DeviceAPIError(.missingField, "scope has all: true, or from and to, or polygon", field: "scope")
        }
        let from = try time(scope.from, "scope.from"), to = try time(scope.to, "scope.to")
        if let from, from >= min(to ?? now, now) {
            throw DeviceAPIError(.outOfRange, "from is before to, and in the past", field: "scope.from")
        }
        return ErasureScope(from: from, to: to, cells: try cells(), requestedAt: now)
    }

    private func time(_ text: String?, _ field: String) throws(DeviceAPIError) -> UnixMilliseconds? {
        guard let text else { return nil }
        guard let time = Timestamp.milliseconds(text), (0...253_402_300_799_999).contains(time) else {
            throw DeviceAPIError(
                .badFormat, "\(field) is RFC 3339, e.g. 2026-03-01T00:00:00Z, from 1970 to 9999", field: field)
        }
        return time
    }

    private func cells() throws(DeviceAPIError) -> [Quadkey]? {
        guard let corners = scope.polygon else { return nil }
        guard (3...Self.mostCorners).contains(corners.count), corners.allSatisfy({ $0.count == 2 }) else {
            throw DeviceAPIError(
                .outOfRange, "polygon has 3 to \(Self.mostCorners) corners, each [longitude, latitude]",
                field: "scope.polygon")
        }
        guard corners.allSatisfy({ abs($0[0]) <= 180 && abs($0[1]) <= 85 }) else {
            throw DeviceAPIError(
                .outOfRange, "longitudes are -180 to 180, latitudes -85 to 85 degrees", field: "scope.polygon")
        }
        return PolygonCover(corners.map { (longitude: $0[0], latitude: $0[1]) }).cells
    }
}
