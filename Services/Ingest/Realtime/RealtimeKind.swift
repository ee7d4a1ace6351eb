internal import Models

/// What a message of a WebSocket is: a report or a feedback.
///
/// The member `kind` says it, `"report"` or `"feedback"`. Without it, a message with a member `rating` or `emoji` is a
/// feedback, any other a report. Only members of the outermost object count, their names written without escapes.
enum RealtimeKind {
    /// - Throws: ``Problem`` if the message is no object or of another kind. Whether it is JSON is found out later.
    static func of(_ message: UnsafeRawBufferPointer) throws(Problem) -> RecordKind {
        var members = TopLevelMembers(message)
        guard members.beginObject() else { throw Problem(.notAnObject, "a message is one record") }
        var found = RecordKind.report
        while let name = members.next() {
            if name.elementsEqual("kind".utf8) { return try kind(members.text) }
            if name.elementsEqual("rating".utf8) || name.elementsEqual("emoji".utf8) { found = .feedback }
        }
        return found
    }

    private static func kind(_ text: Slice<UnsafeRawBufferPointer>) throws(Problem) -> RecordKind {
        if text.elementsEqual("feedback".utf8) { return .feedback }
        if text.elementsEqual("report".utf8) { return .report }
        throw Problem(.outOfRange, "a message is a report or a feedback", field: "kind")
    }
}
