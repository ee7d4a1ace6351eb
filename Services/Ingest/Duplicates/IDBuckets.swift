import IngestUploads

/// What is remembered of records without a counter: a 64-bit hash of the id and 16 bits of the content's hash, in one
/// bucket per captured day. A record costs 10 bytes.
struct IDBuckets: Equatable {
    struct Bucket: Equatable {
        /// Days since 1970 on which the records were captured (corrected).
        let day: UInt32
        var ids: [UInt64]
        var contents: [UInt16]
    }

    enum Finding: Equatable { case unknown, duplicate, conflict }

    var buckets: [Bucket] = []

    var isEmpty: Bool { buckets.isEmpty }

    /// Remembers an id that is not there yet.
    mutating func insert(_ identity: RowIdentity, capturedDay: UInt32) {
        let content = UInt16(truncatingIfNeeded: identity.content >> 48)
        if let index = buckets.firstIndex(where: { $0.day == capturedDay }) {
            buckets[index].ids.append(identity.id)
            buckets[index].contents.append(content)
        } else {
            buckets.append(Bucket(day: capturedDay, ids: [identity.id], contents: [content]))
        }
    }

    /// Forgets records captured before a day; false if there were none.
    mutating func prune(before day: UInt32) -> Bool {
        guard buckets.contains(where: { $0.day < day }) else { return false }
        buckets.removeAll { $0.day < day }
        return true
    }

    /// These and others that are not among them.
    func union(_ other: IDBuckets) -> IDBuckets {
        var union = self
        for bucket in other.buckets {
            if let index = union.buckets.firstIndex(where: { $0.day == bucket.day }) {
                union.buckets[index].ids += bucket.ids
                union.buckets[index].contents += bucket.contents
            } else {
                union.buckets.append(bucket)
            }
        }
        return union
    }
}
