internal import CZeroMQ

/// The messaging patterns in use; the draft ones are left out.
package enum SocketKind: Sendable, Hashable {
    case router, dealer, pub, sub, xpub, push, pull, pair, req, rep

    var code: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .pub: ZMQ_PUB
        case .sub: ZMQ_SUB
        case .xpub: ZMQ_XPUB
        case .push: ZMQ_PUSH
        case .pull: ZMQ_PULL
        case .pair: ZMQ_PAIR
        case .req: ZMQ_REQ
        case .rep: ZMQ_REP
        }
    }

    /// Whether `zmq_poll` may ever report something to read.
    var receives: Bool { self != .pub && self != .push }
}
