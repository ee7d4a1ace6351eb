internal import CZeroMQ

/// A frame on its way out: small ones are copied into the message, large ones are lent to it.
struct OutgoingFrame: ~Copyable {
    /// Below this many bytes a copy costs less than the bookkeeping of a loan.
    static let smallestLoan = 4_096

    private var message = zmq_msg_t()

    init(_ frame: Frame) throws(ZeroMQError) {
        if frame.count < OutgoingFrame.smallestLoan { try copy(frame) } else { try lend(frame) }
    }

    private mutating func copy(_ frame: Frame) throws(ZeroMQError) {
        guard zmq_msg_init_size(&message, frame.count) == 0 else { throw .last(.send) }
        let data = zmq_msg_data(&message)
        frame.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { data?.copyMemory(from: base, byteCount: bytes.count) }
        }
    }

    /// Lends the array's storage to libzmq, which gives it back from an I/O thread once sent.
    ///
    /// Sound because a `[UInt8]` outside Darwin is one heap object whose elements never move while it is referenced, and
    /// the loan holds a reference to it that nobody can write through.
    private mutating func lend(_ frame: Frame) throws(ZeroMQError) {
        let loan = Unmanaged.passRetained(Loan(frame))
        let base = frame.withUnsafeBytes { UnsafeMutableRawPointer(mutating: $0.baseAddress!) }
        let code = zmq_msg_init_data(
            &message, base, frame.count, { _, loan in Unmanaged<Loan>.fromOpaque(loan!).release() }, loan.toOpaque())
        guard code == 0 else {
            loan.release()
            throw .last(.send)
        }
    }

    /// Hands the frame to the socket without waiting; the `errno`, or 0.
    mutating func send(to socket: UnsafeMutableRawPointer, more: Bool) -> Int32 {
        let flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)
        while zmq_msg_send(&message, socket, flags) < 0 {
            let code = zmq_errno()
            guard code == EINTR else { return code }
        }
        return 0
    }

    deinit {
        // After a successful send the message is empty, and closing it does nothing.
        var message = message
        _ = zmq_msg_close(&message)
    }

    private final class Loan {
        let frame: Frame
        init(_ frame: Frame) { self.frame = frame }
    }
}
