package import IngestUploads
internal import Models
package import SubjectRights
internal import Wire

/// Takes records of blocked scopes out of an upload: they come late, what they belong to was erased.
package enum ErasureRevision {
    package static func apply(_ filter: ErasureFilter, to upload: Upload) throws -> Upload {
        let columns = upload.rows.columns
        let kept = try filter.sift(columns, kind: upload.kind.id).kept
        guard kept.count < columns.rowCount else { return upload }
        return upload.keeping(kept, columns.gathered(kept)) { place in
            RowRejection(
                row: place, code: .erased, field: nil, detail: "belongs to what was erased at the subscriber's wish")
        }
    }
}
