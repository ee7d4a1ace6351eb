internal import CZeroMQ

extension Socket {
    /// Sets everything that must be set before bind or connect.
    func apply(_ options: SocketOptions) throws(ZeroMQError) {
        try set(ZMQ_LINGER, milliseconds(options.linger))
        try set(ZMQ_RECONNECT_IVL, milliseconds(options.reconnect))
        try set(ZMQ_RECONNECT_IVL_MAX, milliseconds(options.reconnectMaximum))
        try set(ZMQ_HEARTBEAT_IVL, milliseconds(options.heartbeat))
        try set(ZMQ_HEARTBEAT_TIMEOUT, milliseconds(options.heartbeatTimeout))
        try set(ZMQ_HANDSHAKE_IVL, milliseconds(options.handshake))
        try set(ZMQ_MAXMSGSIZE, wide: options.maximumFrameBytes)
        try set(ZMQ_SNDHWM, options.sendHighWater)
        try set(ZMQ_RCVHWM, options.receiveHighWater)
        try set(ZMQ_IMMEDIATE, options.immediate ? 1 : 0)
        if let name = options.routingID { try set(ZMQ_ROUTING_ID, name) }
        try applyPattern(options)
        try apply(options.security)
    }

    private func applyPattern(_ options: SocketOptions) throws(ZeroMQError) {
        switch kind {
        case .router:
            try set(ZMQ_ROUTER_MANDATORY, options.routerMandatory ? 1 : 0)
            try set(ZMQ_ROUTER_HANDOVER, options.routerHandover ? 1 : 0)
        case .sub:
            for prefix in options.subscriptions { try subscribe(prefix) }
        case .xpub:
            try set(ZMQ_XPUB_VERBOSE, options.verbose ? 1 : 0)
        default: break
        }
    }

    private func apply(_ security: SocketSecurity) throws(ZeroMQError) {
        switch security {
        case .local, .clearText: break
        case .curveServer(let secretKey, let domain):
            guard !domain.isEmpty else {
                throw ZeroMQError(
                    .option, code: EACCES, detail: "a CURVE server needs a ZAP domain to admit clients by")
            }
            try set(ZMQ_CURVE_SERVER, 1)
            try set(ZMQ_CURVE_SECRETKEY, key: secretKey)
            try set(ZMQ_ZAP_DOMAIN, Frame(domain.utf8))
            // Without this libzmq admits every key as long as no ZAP handler is running.
            try set(Int32(NKUL_ZMQ_ZAP_ENFORCE_DOMAIN), 1)
        case .curveClient(let keys, let serverKey):
            try set(ZMQ_CURVE_SERVERKEY, key: serverKey)
            try set(ZMQ_CURVE_PUBLICKEY, key: keys.publicKey)
            try set(ZMQ_CURVE_SECRETKEY, key: keys.secretKey)
        }
    }

    func set(_ option: Int32, _ value: Frame, _ operation: ZeroMQError.Operation = .option) throws(ZeroMQError) {
        guard zmq_setsockopt(pointer, option, value, value.count) == 0 else { throw failure(option, operation) }
    }

    func set(_ option: Int32, _ value: Int32) throws(ZeroMQError) {
        var value = value
        guard zmq_setsockopt(pointer, option, &value, 4) == 0 else { throw failure(option) }
    }

    private func set(_ option: Int32, wide value: Int64) throws(ZeroMQError) {
        var value = value
        guard zmq_setsockopt(pointer, option, &value, 8) == 0 else { throw failure(option) }
    }

    private func set(_ option: Int32, key: String) throws(ZeroMQError) {
        try set(option, CurveKeyPair.bytes(key))
    }

    private func failure(_ option: Int32, _ operation: ZeroMQError.Operation = .option) -> ZeroMQError {
        let code = zmq_errno()
        return ZeroMQError(
            operation, endpoint: endpoint.isEmpty ? nil : endpoint, code: code,
            detail: "option \(option): \(String(cString: zmq_strerror(code)))")
    }

    private func milliseconds(_ duration: Duration) -> Int32 {
        Int32(clamping: Int64(duration / .milliseconds(1)))
    }
}
