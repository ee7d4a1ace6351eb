internal import CLinux
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// A thread of one's own for code that blocks, with a name and a nice level (Linux keeps it by thread).
public enum WorkThread {
    /// Starts one.
    ///
    /// - Parameters:
    ///   - niceness: from 0, which is that of the thread that starts it; 19 gets what nobody else wants.
    ///   - isPrompt: whether it runs in short slices and soon after it wakes, for threads that an alarm waits for.
    ///   - idle: with one, it runs only when nothing else wants its core, unless it is to hurry; for much work that may
    ///     come to a standstill while the machine is full.
    public static func start(
        _ name: String, niceness: Int32, isPrompt: Bool = false, idle: IdleTurn? = nil,
        _ body: @escaping @Sendable () -> Void
    ) {
        if let idle { start("idle watch", niceness: 0) { idle.watch() } }
        let thread = Thread {
            // Foundation's own name of a thread is not the system's on Linux.
            nkul_name_this_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
            if niceness != 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
            // A thread begins with the slice of the one that starts it; 0 is the usual one.
            _ = nkul_set_slice(isPrompt ? UInt64(nkul_prompt_slice) : 0)
            idle?.begin()
            body()
            idle?.end()
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// For how many nanoseconds this thread runs at a time when others want to; 0 where Linux does not tell.
    static var slice: UInt64 { nkul_slice() }
}
