public import Models
internal import ServiceKit
internal import Storage

extension Channel {
    /// Where it is told, as far as that is not secret.
    public var target: String {
        switch kind {
        case .webhook(let url), .alertmanager(let url, _), .tmf642(let url, _): url.text
        case .email(let address, _): address
        case .sms(let number): number
        case .webpush: ""
        }
    }

    /// Opens its secrets and compiles them.
    ///
    /// - Parameter privateKey: the notifier's, of that id; nil if it has none of it.
    /// - Throws: ``DocumentRefusal``.
    public func secrets(
        _ policy: AddressPolicy, with privateKey: (_ id: String) -> [UInt8]?
    ) throws(DocumentRefusal) -> ChannelSecrets {
        var clear: JSONValue?
        if let sealed {
            guard let key = privateKey(sealed.key),
                let bytes = try? RecipientSeal.open(
                    sealed.bytes, with: key, purpose: ChannelSecrets.purpose,
                    additional: ChannelSecrets.binding(channel: id, kind: kind.word, target: target)),
                let value = try? JSONValue(bytes: bytes)
            else {
                throw DocumentRefusal([
                    DocumentProblem(
                        "sealed", "does not open",
                        allowed: "secrets sealed to the notifier's key, for this channel and target"
                    )
                ])
            }
            clear = value
        }
        return try ChannelSecrets(compiling: clear, of: kind.word, policy)
    }
}
