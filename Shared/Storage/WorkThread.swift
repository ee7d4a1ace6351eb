internal import CLinux
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// A thread of one's own for code that blocks, with a name and a nice level (Linux keeps it by thread).
public enum WorkThread {
    /// Starts one.
    ///
    /// - Parameter niceness: from 0; 19 gets what nobody else wants.
    public static func start(_ name: String, niceness: Int32, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // Foundation's own name of a thread is not the system's on Linux.
            nkul_name_this_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
            if niceness != 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
            body()
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }
}
