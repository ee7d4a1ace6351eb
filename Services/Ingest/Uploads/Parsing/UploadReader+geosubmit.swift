internal import Crypto
internal import CSimdjson
internal import Models
internal import Wire

/// Geosubmit v2, as apps for Android send it that nobody here wrote: a body is rewritten into reports, which are read as any.
extension UploadReader {
    /// Compressed bytes that are inflated at a time.
    private static let pieceBytes = 2_048

    /// Reads a body of `POST /v2/geosubmit`: a report for each serving cell of each item. Takes long for long bodies.
    ///
    /// - Parameters:
    ///   - request: its kind is `report`, its format `json`.
    ///   - key: secret of the device, from which and from their content records get their ids: told twice, they count once.
    /// - Returns: the reports, nil if there is none; and what else was in the body.
    /// - Throws: ``DeviceAPIError`` 403 without consent to measurement, 413 over a limit, 422 if it is no body of Geosubmit.
    package func readGeosubmit(
        _ body: UnsafeRawBufferPointer, of device: DeviceIdentity, key: TokenHash, as request: UploadRequest
    ) throws(DeviceAPIError) -> (upload: Upload?, tally: GeosubmitTally) {
        guard device.consent.contains(.measurement) else { throw .noMeasurementConsent }
        guard !body.isEmpty else { throw DeviceAPIError(.emptyBody) }
        guard let table = tables.table(of: request.kind) else { throw .unknownKind(request.kind.name) }
        var tally = GeosubmitTally()
        let reports = try rewrite(body, isCompressed: request.isCompressed, &tally)
        guard tally[.report] > 0 else { return (nil, tally) }
        let result = pool.with { scratch in
            Result { () throws(DeviceAPIError) in
                scratch.replace(reports)
                let parsed = try parse(scratch, table, .json, .utf8)
                defer { scratch.clear(rows: Int(parsed.rows)) }
                ContentName(key).write(to: scratch, table, rows: Int(parsed.rows))
                return try check(parsed, scratch, table, body, device, request)
            }
        }
        return (try result.get(), tally)
    }

    /// The reports of a body as an array of JSON.
    private func rewrite(
        _ body: UnsafeRawBufferPointer, isCompressed: Bool, _ tally: inout GeosubmitTally
    ) throws(DeviceAPIError) -> [UInt8] {
        var reports = Array("[".utf8), scanner = GeosubmitScanner()
        func take(_ piece: UnsafeRawBufferPointer) throws(DeviceAPIError) {
            try scanner.feed(piece) { (element: GeosubmitScanner.Element) throws(DeviceAPIError) in
                Self.take(element, &reports, &tally)
                guard reports.count <= inflatedLimit else {
                    throw DeviceAPIError(.inflatedTooLarge, "its reports may have \(inflatedLimit) bytes")
                }
            }
        }
        if isCompressed { try inflate(body, take) } else { try take(body) }
        guard scanner.hasItems else {
            throw DeviceAPIError(.missingField, "the body is an object with an array of that name", field: "items")
        }
        if !scanner.hasEnded { tally[.cutOff] += 1 }
        guard tally[.item] == 0 || tally.unreadable < tally[.item] else {
            throw DeviceAPIError(.nothingReadable, "none of the \(tally[.item]) items is an object", field: "items")
        }
        reports.append(UInt8(ascii: "]"))
        return reports
    }

    private static func take(
        _ element: GeosubmitScanner.Element, _ reports: inout [UInt8], _ tally: inout GeosubmitTally
    ) {
        tally[.item] += 1
        switch element {
        case .scalar: tally[.notAnObject] += 1
        case .tooLarge: tally[.tooLarge] += 1
        case .value(let bytes):
            guard bytes.first == UInt8(ascii: "{") else { return tally[.notAnObject] += 1 }
            var counted = tally
            do throws(JSONCursor.Malformed) {
                try GeosubmitItem(bytes, &counted).write(to: &reports, &counted)
                tally = counted
            } catch { tally[.malformed] += 1 }
        }
    }

    private func inflate(
        _ body: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(DeviceAPIError) -> Void
    ) throws(DeviceAPIError) {
        var inflater = Inflater(limit: geosubmitLimit), inflated: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: Self.pieceBytes) {
            let piece = UnsafeRawBufferPointer(rebasing: body[start..<min(start + Self.pieceBytes, body.count)])
            do { try inflater.append(piece, into: &inflated) } catch { throw Self.problem(error, geosubmitLimit) }
            let taken = inflated.withUnsafeBytes { bytes in
                Result { () throws(DeviceAPIError) in try take(bytes) }
            }
            try taken.get()
            inflated.removeAll(keepingCapacity: true)
        }
        do { try inflater.finish() } catch { throw Self.problem(error, geosubmitLimit) }
    }

    private static func problem(_ error: WireError, _ limit: Int) -> DeviceAPIError {
        if case .tooLarge = error { return DeviceAPIError(.inflatedTooLarge, "it may have \(limit) bytes") }
        return DeviceAPIError(.brokenCompression, "\(error)")
    }
}

/// Names records by what they say: a UUID of version 8 from a keyed hash, as nobody who sees it shall find out by trying what
/// consent has taken from the record.
private struct ContentName {
    private let key: SymmetricKey

    init(_ secret: TokenHash) { key = SymmetricKey(data: secret.bytes) }

    /// Writes the id of each row.
    func write(to scratch: RowScratch, _ table: RowTable, rows: Int) {
        guard let id = table.slot(ColumnID.id) else { return }
        // By name: places in the table change when fields are added, and a record stays the same.
        let names = (0..<table.slotCount).map { Array(table.name($0).utf8) }
        for row in 0..<rows {
            var hash = HMAC<SHA256>(key: key)
            for slot in names.indices where slot != id {
                guard var value = scratch.value(slot, row)?.littleEndian else { continue }
                hash.update(data: names[slot])
                withUnsafeBytes(of: &value) { hash.update(data: $0) }
            }
            var name = Array(hash.finalize().prefix(16))
            name[6] = name[6] & 0x0F | 0x80
            name[8] = name[8] & 0x3F | 0x80
            scratch.setIdentifier(id, row, name)
        }
    }
}
