internal import Crypto
internal import CSimdjson
public import Models
internal import Wire

/// Turns the body of an upload into an ``Upload``: inflate, parse, check, reduce by consent, gather. Runs on the request's
/// task; any number at once.
public struct UploadReader: Sendable {
    let tables: RowTables
    let pool: ScratchPool
    private let rowLimit: Int
    let inflatedLimit: Int
    /// Most bytes of a body of Geosubmit after inflating; of these few are in memory at a time.
    let geosubmitLimit: Int

    /// - Parameters: whose kinds are read, most rows of an upload, most bytes of a body after inflating, scratches kept for
    ///   reuse, levels of nesting and members of a JSON record, most bytes of a body of Geosubmit after inflating.
    public init(
        _ programmes: Programmes, rowLimit: Int = 10_000, inflatedLimit: Int = 4_000_000, scratches: Int = 8,
        depthLimit: Int = 64,
        memberLimit: Int = 256, geosubmitLimit: Int = 16_000_000
    ) {
        self.geosubmitLimit = geosubmitLimit
        self.rowLimit = rowLimit
        self.inflatedLimit = inflatedLimit
        tables = RowTables(programmes)
        pool = ScratchPool(
            slots: tables.mostSlots, kept: scratches, inflatedLimit: inflatedLimit, depthLimit: depthLimit,
            memberLimit: memberLimit)
    }

    /// Reads a body.
    ///
    /// - Throws: ``DeviceAPIError`` 403 without consent to measurement, 413 over a limit, 422 if nothing is readable or the kind is
    ///   none that phones send.
    public func read(
        _ body: UnsafeRawBufferPointer, of device: DeviceIdentity, as request: UploadRequest
    ) throws(DeviceAPIError) -> Upload {
        guard device.consent.contains(.measurement) else { throw .noMeasurementConsent }
        guard !body.isEmpty else { throw DeviceAPIError(.emptyBody) }
        let result = pool.with { scratch in
            Result { () throws(DeviceAPIError) in try read(body, of: device, as: request, into: scratch) }
        }
        return try result.get()
    }

    private func read(
        _ body: UnsafeRawBufferPointer, of device: DeviceIdentity, as request: UploadRequest, into scratch: RowScratch
    ) throws(DeviceAPIError) -> Upload {
        guard let table = tables.table(of: request.kind) else { throw .unknownKind(request.kind.name) }
        try load(body, isCompressed: request.isCompressed, into: scratch)
        let encoding = try UTF16Body.transcode(scratch, limit: inflatedLimit)
        let result = try parse(scratch, table, request.format, encoding)
        defer { scratch.clear(rows: Int(result.rows)) }
        return try check(result, scratch, table, body, device, request)
    }

    /// Checks what was parsed, reduces it by consent and gathers it.
    ///
    /// - Parameter body: as it came, which names the upload.
    func check(
        _ result: nkul_result, _ scratch: RowScratch, _ table: RowTable, _ body: UnsafeRawBufferPointer,
        _ device: DeviceIdentity, _ request: UploadRequest
    ) throws(DeviceAPIError) -> Upload {
        let rows = Int(result.rows)
        var checker = RowChecker(scratch, table, rows: rows)
        checker.run(faults: Int(result.faults), left: Int(result.left))
        var rejections = checker.rejections
        rejections.sort { $0.row < $1.row }
        if result.unreadable == result.rows { throw Self.nothingReadable(result, rejections) }
        if result.damage != UInt16(NKUL_FINE) {
            rejections.append(
                RowRejection(
                    row: rows, code: .malformed, field: nil,
                    detail: "the body is damaged at byte \(result.damage_offset); what follows was not read"))
        }
        ContentHash.compute(scratch, table, rows: rows)
        ConsentFilter.apply(device.consent, to: scratch, table, rows: rows)
        let (batch, fingerprint) = Self.name(body, device.ordinal, request)
        let gatherer = UploadGatherer(
            scratch, table, rows: rows, device: device, offset: request.sentAt.map { request.arrivedAt - $0 },
            flags: device.flags(at: request.arrivedAt))
        let upload = gatherer.upload(
            batch: batch, fingerprint: fingerprint, rejections: rejections, leftOut: checker.leftOut,
            unknownColumns: result.unknown == 0 ? nil : UnknownColumns(result, scratch), listsAll: request.listsAll)
        return ConsentRevision.concerns(device, upload) ? ConsentRevision.apply(device, to: upload) : upload
    }

    private func load(_ body: UnsafeRawBufferPointer, isCompressed: Bool, into scratch: RowScratch)
        throws(DeviceAPIError)
    {
        guard isCompressed || body.count <= inflatedLimit else {
            throw DeviceAPIError.tooLarge(inflatedLimit)
        }
        do {
            try scratch.load(body, isCompressed: isCompressed)
        } catch WireError.tooLarge {
            throw DeviceAPIError(.inflatedTooLarge, "it may have \(inflatedLimit) bytes")
        } catch {
            throw DeviceAPIError(.brokenCompression, "\(error)")
        }
    }

    func parse(
        _ scratch: RowScratch, _ table: RowTable, _ format: UploadRequest.Format, _ encoding: UTF16Body.Encoding
    ) throws(DeviceAPIError) -> nkul_result {
        while true {
            let result = scratch.parse(table, format)
            switch Int(result.status) {
            case NKUL_FINE where Int(result.rows) <= rowLimit: return result
            case NKUL_FINE, NKUL_TOO_MANY_ROWS:
                scratch.clear(rows: scratch.capacity)
                guard Int(result.rows) <= rowLimit, scratch.capacity < rowLimit else {
                    throw DeviceAPIError(.tooManyRows, "an upload has at most \(rowLimit)")
                }
                scratch.grow(rows: min(scratch.capacity * 4, rowLimit + 1))
            case NKUL_EMPTY: throw DeviceAPIError(.emptyBody)
            case NKUL_NO_HEADER:
                throw DeviceAPIError(.noCSVHeader, UnknownColumns(result, scratch).sentence(result, encoding))
            case NKUL_TWICE:
                let name = table.name(Int(result.column))
                throw DeviceAPIError(.duplicateColumn, "the first line names \(name) more than once", field: name)
            default:
                scratch.clear(rows: scratch.capacity)
                throw DeviceAPIError(.outOfMemory, retryAfter: 5)
            }
        }
    }

    private static func nothingReadable(_ result: nkul_result, _ rejections: [RowRejection]) -> DeviceAPIError {
        let first = rejections.first
        return DeviceAPIError(
            .nothingReadable,
            first.map { "record \($0.row): \($0.code.rawValue), \($0.detail)" } ?? "there is no record in it",
            field: first?.field)
    }

    /// SHA-256 over device, kind and idempotency key, or the body as it came if there is none.
    private static func name(
        _ body: UnsafeRawBufferPointer, _ device: UInt64, _ request: UploadRequest
    ) -> (BatchID, UInt32) {
        let content = SHA256.hash(data: body)
        let fingerprint = content.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        var digest = SHA256()
        var place = (device.littleEndian, UInt64(request.kind.id).littleEndian)
        withUnsafeBytes(of: &place) { digest.update(bufferPointer: $0) }
        if let key = request.idempotencyKey {
            digest.update(data: Array("key:".utf8) + Array(key.utf8))
        } else {
            content.withUnsafeBytes { digest.update(bufferPointer: $0) }
        }
        let batch = digest.finalize().withUnsafeBytes {
            BatchID(
                high: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
        return (batch, fingerprint)
    }
}

extension RowScratch {
    /// Runs the C++ parser over the padded body.
    func parse(_ table: RowTable, _ format: UploadRequest.Format) -> nkul_result {
        var columns = (0..<table.slotCount).map { slot in
            nkul_column(
                integers: integers[slot], identifiers: slot < 16 ? identifiers[slot] : nil, presence: presence[slot],
                left: left[slot], beyond: beyond[slot])
        }
        let length = UInt32(bodyLength)
        return columns.withUnsafeMutableBufferPointer { columns in
            var rows = nkul_rows(columns: columns.baseAddress, capacity: UInt32(capacity), faults: faults, text: text)
            let result = body.withUnsafeBufferPointer { body in
                format == .json
                    ? nkul_parse_json(parser, table.handle, body.baseAddress, length, &rows)
                    : nkul_parse_csv(parser, table.handle, body.baseAddress, length, &rows)
            }
            if result.left > 0 || result.beyond > 0 { markOddities() }
            return result
        }
    }
}
