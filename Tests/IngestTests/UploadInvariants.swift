import Foundation
import IngestDuplicates
import IngestUploads
import Models
import QoE
import Wire

/// What holds for the body of an upload whatever its bytes are. The fuzz targets and the tests over their corpus ask it.
struct UploadInvariants {
    /// A rule that a body broke.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    static let kinds: [RecordKind] = [.report, .feedback, .prompt]
    private static let now: Int64 = 1_760_000_000_000
    private static let device = DeviceIdentity(ordinal: 7, consent: .all, consentVersion: 3)
    private static let key = DeviceToken.hash("a key of nobody")
    private let reader: UploadReader
    private let rowLimit: Int

    init(rowLimit: Int = 1_000, inflatedLimit: Int = 1 << 20) {
        reader = UploadReader(.qoe, rowLimit: rowLimit, inflatedLimit: inflatedLimit, scratches: 1)
        self.rowLimit = rowLimit
    }

    /// Reads a body as every kind of record.
    ///
    /// - Returns: how many rows came out of it, of all kinds together.
    /// - Throws: ``Broken``.
    @discardableResult
    func check(_ body: UnsafeRawBufferPointer, _ format: UploadRequest.Format, isCompressed: Bool = false) throws -> Int
    {
        var rows = 0
        for kind in Self.kinds {
            let request = UploadRequest(
                kind: kind, format: format, isCompressed: isCompressed, arrivedAt: Self.now, listsAll: true)
            rows += try check(body, request)
        }
        return rows
    }

    private func check(_ body: UnsafeRawBufferPointer, _ request: UploadRequest) throws -> Int {
        let upload: Upload
        do {
            upload = try reader.read(body, of: Self.device, as: request)
        } catch {
            try checkProblem(error)
            return 0
        }
        try check(upload)
        try checkRepetition(upload, try reader.read(body, of: Self.device, as: request))
        return upload.columns.rowCount
    }

    private func check(_ upload: Upload) throws {
        try checkRows(upload)
        try checkValues(upload)
        try checkLeftOut(upload)
        try checkTravel(upload.columns)
        try checkDecision(upload)
    }

    /// Reads a body of `POST /v2/geosubmit`, as a compressed one if it begins as gzip does.
    ///
    /// - Returns: how many rows came out of it.
    /// - Throws: ``Broken``.
    @discardableResult
    func checkGeosubmit(_ body: UnsafeRawBufferPointer) throws -> Int {
        let isCompressed = body.starts(with: [0x1F, 0x8B])
        let request = UploadRequest(
            kind: .report, isCompressed: isCompressed, arrivedAt: Self.now, listsAll: true)
        func read() throws(DeviceAPIError) -> (upload: Upload?, tally: GeosubmitTally) {
            try reader.readGeosubmit(body, of: Self.device, key: Self.key, as: request)
        }
        let upload: Upload?, tally: GeosubmitTally
        do {
            (upload, tally) = try read()
        } catch {
            try checkProblem(error)
            return 0
        }
        let again = try read()
        try expect(tally == again.tally, "the same body is counted otherwise")
        try expect(tally.unreadable + tally[.withoutServingCell] <= tally[.item], "an item is counted twice")
        try expect((upload?.rowCount ?? 0) == tally[.report], "\(tally[.report]) reports were counted")
        guard let upload, let repetition = again.upload else {
            try expect(again.upload == nil && upload == nil, "of the same body there are rows only once")
            return 0
        }
        try check(upload)
        try checkRepetition(upload, repetition)
        return upload.columns.rowCount
    }

    private func checkProblem(_ problem: DeviceAPIError) throws {
        try expect((400..<500).contains(problem.status), "status \(problem.status)")
        try expect(
            Self.isJSON(problem.body), "the problem is not JSON: \(String(decoding: problem.body, as: UTF8.self))")
    }

    /// Each row is accepted for now or rejected, once, and has its place.
    private func checkRows(_ upload: Upload) throws {
        let rejected = upload.rejections.map { Int32($0.row) }
        try expect(upload.columns.rowCount == upload.places.count, "a row has no place")
        try expect(upload.columns.rowCount == upload.identities.count, "a row has no identity")
        try expect(Set(upload.places).count == upload.places.count, "two rows have one place")
        try expect(Self.isAscending(upload.places), "places are not ascending")
        try expect(Self.isAscending(rejected), "a row is rejected twice")
        try expect(Set(upload.places).isDisjoint(with: rejected), "a row is accepted and rejected")
        try expect(upload.places.count + rejected.count == upload.rowCount, "a row is neither accepted nor rejected")
        // What follows damage is one more place.
        try expect(upload.rowCount <= rowLimit + 1, "more rows than allowed")
        try expect(upload.identities.allSatisfy { $0.seq >= 0 && $0.id != 0 }, "a row without identity")
    }

    /// What was left out is not there, and what is rejected has nothing left out.
    private func checkLeftOut(_ upload: Upload) throws {
        let places = upload.places.map(Int.init)
        for (place, values) in upload.leftOut {
            guard let row = places.firstIndex(of: place) else {
                throw Broken(description: "of no row a value is left out")
            }
            try expect(!values.isEmpty, "nothing is left out")
            for value in values {
                guard let field = upload.kind.field(named: value.field), field.column != ColumnID.rating else {
                    continue
                }
                try expect(upload.columns[field.column]?.presence[row] != true, "\(value.field) is left out and there")
            }
        }
    }

    /// Every value is one its field allows, and every text is UTF-8.
    private func checkValues(_ upload: Upload) throws {
        for column in upload.columns.columns {
            guard let field = upload.kind.field(column.id) else { throw Broken(description: "column \(column.id)") }
            switch field.representation {
            case .number, .digits, .choice, .flag:
                let wrong = column.presence.rows.first { !field.range.contains(column.integers[Int($0)]) }
                try expect(wrong == nil, "\(field.name) is not in its range")
            case .text:
                for row in column.presence.rows {
                    let text = column.value(Int(row)) ?? []
                    try expect(String(validating: text, as: UTF8.self) != nil, "\(field.name) is not UTF-8")
                }
            case .identifier, .instant: break
            }
        }
    }

    /// The rows come out of a block as they went in.
    private func checkTravel(_ columns: Columns) throws {
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        let block = try encoder.encode(columns)
        let back = try decoder.decode(
            block.payload, rowCount: block.rowCount, rawLength: block.rawLength, crc32: block.crc32)
        try expect(back == columns.withoutEmptyColumns, "a block holds other rows")
    }

    /// Each row is counted once, and not again when it comes again; the receipt is JSON.
    private func checkDecision(_ upload: Upload) throws {
        var memory = LayeredMemory()
        let first = UploadDecision(upload, &memory, now: Self.now, onlyUrgent: false)
        try expect(
            first.accepted.count + first.duplicates + first.conflicts + first.rejected + first.heldBack
                == upload.rowCount,
            "a row is not counted, or twice")
        let receipt = Receipt(
            batchID: upload.batchID, accepted: first.accepted.count, duplicates: first.duplicates,
            conflicts: first.conflicts, rejected: first.rejected, items: first.items)
        try expect(receipt.items.count == upload.rowCount, "a row is missing in the receipt")
        try expect(Self.isJSON(receipt.body), "the receipt is not JSON")
        let known = memory
        let again = UploadDecision(upload, &memory, now: Self.now, onlyUrgent: false)
        try expect(again.accepted.isEmpty, "a row counts twice")
        // What came in time stands for what came under its number and too late.
        try expect(again.rejected <= first.rejected, "a repetition is rejected where it was not")
        try expect(
            again.duplicates + again.conflicts + again.rejected == upload.rowCount,
            "a repetition is not counted, or twice")
        try expect(memory == known, "a repetition is remembered")
    }

    /// Nothing of an earlier body shows in a later one.
    private func checkRepetition(_ first: Upload, _ again: Upload) throws {
        try expect(first.columns == again.columns, "the same body has other rows")
        try expect(first.identities == again.identities, "the same body has other identities")
        try expect(first.rejections == again.rejections, "the same body has other rejections")
        try expect(first.leftOut == again.leftOut, "of the same body other values are left out")
        try expect(first.unknownColumns == again.unknownColumns, "the same body has other unknown columns")
        try expect(first.batchID == again.batchID, "the same body has another name")
    }

    private func expect(_ holds: Bool, _ rule: @autoclosure () -> String) throws(Broken) {
        if !holds { throw Broken(description: rule()) }
    }

    private static func isAscending(_ numbers: [Int32]) -> Bool {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
    }
}

extension Columns {
    /// What a block keeps: a column in which no row has a value is left out.
    fileprivate var withoutEmptyColumns: Columns {
        Columns(rowCount: rowCount, columns: columns.filter { !$0.presence.isEmpty })
    }
}

extension Upload {
    /// The rows as arrays.
    var columns: Columns { rows.columns }
    /// Place in the upload of each row.
    var places: [Int32] { (0..<rows.rowCount).map { Int32(place($0)) } }
}
