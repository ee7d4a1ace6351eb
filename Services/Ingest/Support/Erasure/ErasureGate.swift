package import IngestUploads
package import Models
package import SubjectRights
internal import Wire

/// What may no longer be stored: anything of devices that are being erased, and records of blocked scopes. A value, so that a
/// commit that fails leaves it as it was.
package struct ErasureGate {
    /// A record is taken up to so long after its capture, and a scope blocked for as long.
    package static let blocked: UnixMilliseconds = AcceptanceHorizon.back + 86_400_000

    /// By which request.
    private var erased: [UInt64: String] = [:]
    private var parts: [UInt64: [ErasureSubject]] = [:]
    private var filters: [UInt64: ErasureFilter] = [:]

    package init(_ subjects: [ErasureSubject]) {
        for subject in subjects { close(to: subject) }
    }

    /// True if nothing is refused: the usual case.
    package var isOpen: Bool { erased.isEmpty && parts.isEmpty }

    /// Why nothing of a device is taken any more; nil for almost all.
    package func refusal(of device: UInt64) -> DeviceAPIError? { erased[device].map { .deviceErased($0) } }

    /// What of a device's records is refused; nil if nothing.
    package func filter(of device: UInt64) -> ErasureFilter? { filters[device] }

    package mutating func close(to subject: ErasureSubject) {
        if subject.scope.isEverything {
            erased[subject.device] = subject.request
        } else {
            parts[subject.device, default: []].append(subject)
            filters[subject.device] = ErasureFilter(parts[subject.device]!)
        }
    }

    /// Opens for scopes of which nothing can come any more.
    package mutating func open(at now: UnixMilliseconds) {
        for (device, subjects) in parts {
            let kept = subjects.filter { ($0.scope.to ?? .max) > now - Self.blocked }
            guard kept.count < subjects.count else { continue }
            parts[device] = kept.isEmpty ? nil : kept
            filters[device] = kept.isEmpty ? nil : ErasureFilter(kept)
        }
    }
}

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
