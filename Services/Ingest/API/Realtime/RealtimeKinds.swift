internal import IngestUploads
internal import Models

/// Which kind of record a message of a WebSocket is.
///
/// The member `kind` says it: `"report"`. Without it, a message with a member that marks a kind (``ProgrammeKind/marks``), as
/// `rating` marks a feedback, is one of that; any other is of the first kind. Only members of the outermost object count, their
/// names written without escapes. Immutable; used by all threads.
struct RealtimeKinds: Sendable {
    private let kinds: [RecordKind]
    private let marks: [(name: [UInt8], kind: RecordKind)]

    init(_ programmes: Programmes) {
        let sent = programmes.kinds.filter(\.isRealtime)
        kinds = sent.map(\.kind)
        marks = sent.flatMap { kind in (kind.marks ?? []).map { (Array($0.utf8), kind.kind) } }
    }

    /// What a message says of itself: its kind, and what time it was on the phone when it was sent.
    typealias Envelope = (kind: RecordKind, sentAt: UnixMilliseconds?)

    /// - Throws: ``DeviceAPIError`` if the message is no object, of another kind, or its time of sending is none or is there twice. Whether it is JSON is found
    ///   out later.
    func envelope(of message: UnsafeRawBufferPointer) throws(DeviceAPIError) -> Envelope {
        var members = TopLevelMembers(message)
        guard members.beginObject() else { throw DeviceAPIError(.notAnObject, "a message is one record") }
        guard var found = kinds.first else { throw .unknownKind("this") }
        var named: RecordKind?, sentAt: UnixMilliseconds?, isTimed = false
        while let name = members.next() {
            if name.elementsEqual("kind".utf8) {
                named = try kind(named: members.text)
            } else if name.elementsEqual("sent_at_ms".utf8) {
                guard !isTimed else {
                    throw DeviceAPIError(.badSentAt, "sent_at_ms is there twice", field: "sent_at_ms")
                }
                (sentAt, isTimed) = (try Self.time(members), true)
            } else if let mark = marks.first(where: { name.elementsEqual($0.name) }) {
                found = mark.kind
            }
        }
        return (named ?? found, sentAt)
    }

    /// The time that a member has, as a number or as text; nil for null.
    private static func time(_ members: TopLevelMembers) throws(DeviceAPIError) -> UnixMilliseconds? {
        var written = members.text.isEmpty ? members.value[...] : members.text[...]
        while let last = written.last, last <= 0x20 { written = written.dropLast() }
        written = written.drop { $0 <= 0x20 }
        guard written.count <= 32 else { throw DeviceAPIError(.badSentAt, field: "sent_at_ms") }
        let text = String(decoding: written, as: UTF8.self)
        return text == "null" ? nil : try UploadRequest.sentAt(text[...], "sent_at_ms")
    }

    private func kind(named text: Slice<UnsafeRawBufferPointer>) throws(DeviceAPIError) -> RecordKind {
        if let kind = kinds.first(where: { text.elementsEqual($0.name.utf8) }) { return kind }
        throw .unknownKind(String(decoding: text.prefix(32), as: UTF8.self), known: kinds.map(\.name))
    }
}
