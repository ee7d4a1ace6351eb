internal import CZeroMQ

/// A libzmq context: its I/O threads and the `inproc://` names.
///
/// Thread-safe. Lives until the last socket made from it is closed and it is released; the release then waits at most the
/// longest linger of its sockets.
public final class Context: Sendable {
    // libzmq: "A ØMQ context is thread safe and may be shared among as many application threads as necessary".
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    /// - Parameter ioThreads: threads that move bytes; one carries about a gigabyte a second.
    public init(ioThreads: Int32 = 1) throws(ZeroMQError) {
        guard let pointer = zmq_ctx_new() else { throw .last(.context) }
        self.pointer = pointer
        guard zmq_ctx_set(pointer, ZMQ_IO_THREADS, ioThreads) == 0 else { throw .last(.context) }
        // Sockets that nobody configured must not hold the process at exit.
        guard zmq_ctx_set(pointer, ZMQ_BLOCKY, 0) == 0 else { throw .last(.context) }
    }

    /// Lets every operation on this context's sockets fail with `isStopped`, from any thread.
    public func shutdown() {
        _ = zmq_ctx_shutdown(pointer)
    }

    deinit {
        while zmq_ctx_term(pointer) != 0 && zmq_errno() == EINTR {}
    }
}
