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
            if niceness != 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
            body()
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }
}
