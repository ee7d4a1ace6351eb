@testable import IngestPanels
@testable import IngestUploads

/// What an alarm panel sends: frames of SIA DC-09, the messages in them, the events in those. Bytes without a frame are read as a message.
struct PanelTarget: FuzzTarget {
    func run(_ bytes: UnsafeRawBufferPointer) throws {
        let bytes = [UInt8](bytes)
        if let message = try? DC09Frame.message(in: bytes) {
            guard message.count <= DC09Frame.mostBytes else { throw broken("a message of \(message.count) bytes") }
            try check(message)
        }
        try check(bytes)
    }

    private func check(_ bytes: [UInt8]) throws {
        guard let message = DC09Message(bytes) else { return }
        guard message.sequence.utf8.count == 4, message.account.utf8.count <= 16, message.receiver.utf8.count <= 7
        else {
            throw broken("\(message)")
        }
        guard let content = DC09Content(message.content[...]) else { return }
        if let sentAt = content.sentAt, let again = DC09Time.milliseconds(DC09Time.text(sentAt)), again != sentAt {
            throw broken("the time \(sentAt) is read again as \(again)")
        }
        guard case .events(let events) = PanelData(token: message.token, content.data) else { return }
        guard !events.isEmpty, events.count <= PanelData.mostEvents,
            events.allSatisfy({ (0...9_999).contains($0.zone) && (2...4).contains($0.code.utf8.count) })
        else { throw broken("\(events)") }
    }

    private func broken(_ rule: String) -> UploadInvariants.Broken { UploadInvariants.Broken(description: rule) }
}
