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

    /// - Throws: ``Problem`` if the message is no object or of another kind. Whether it is JSON is found out later.
    func kind(of message: UnsafeRawBufferPointer) throws(Problem) -> RecordKind {
        var members = TopLevelMembers(message)
        guard members.beginObject() else { throw Problem(.notAnObject, "a message is one record") }
        guard var found = kinds.first else { throw .unknownKind("this") }
        while let name = members.next() {
            if name.elementsEqual("kind".utf8) { return try kind(named: members.text) }
            if let mark = marks.first(where: { name.elementsEqual($0.name) }) { found = mark.kind }
        }
        return found
    }

    private func kind(named text: Slice<UnsafeRawBufferPointer>) throws(Problem) -> RecordKind {
        if let kind = kinds.first(where: { text.elementsEqual($0.name.utf8) }) { return kind }
        throw .unknownKind(String(decoding: text.prefix(32), as: UTF8.self), known: kinds.map(\.name))
    }
}
