/// Who may talk over a socket. Whatever is not said is refused.
public enum SocketSecurity: Sendable {
    /// `ipc://` and `inproc://` only, where file permissions decide.
    case local
    /// Clear text, on loopback addresses only.
    case clearText
    /// CURVE: clients are admitted by the context's `ZAPHandler` under `domain`, and by nobody if there is none.
    case curveServer(secretKey: String, domain: String)
    /// CURVE: talks to the owner of `serverKey` and to nobody else.
    case curveClient(keys: CurveKeyPair, serverKey: String)

    /// Checks that the endpoint may be used under this security.
    func check(_ endpoint: Endpoint, for operation: ZeroMQError.Operation) throws(ZeroMQError) {
        switch self {
        case .local where endpoint.isRemote:
            throw endpoint.refused(operation, "an address that is not ipc:// needs CURVE keys")
        case .clearText where endpoint.isRemote && !endpoint.isLoopback:
            throw endpoint.refused(operation, "without CURVE keys only loopback addresses are allowed")
        default: break
        }
    }
}
