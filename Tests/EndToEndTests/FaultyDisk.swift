import Foundation

/// System calls of a program that fail when they are told to, by libfiu (Debian: `fiu-utils`).
struct FaultyDisk {
    private static let library = "/usr/lib/fiu/"
    private let control: String

    /// True if libfiu is there.
    static var isThere: Bool {
        let files = FileManager.default
        return files.fileExists(atPath: library + "fiu_posix_preload.so")
            && files.fileExists(atPath: "/usr/bin/fiu-ctrl")
    }

    /// - Parameter control: where the pipes are made by which the program is told.
    init(control: String) { self.control = control }

    /// What the program is started with.
    var environment: [String: String] {
        [
            "LD_PRELOAD": Self.library + "fiu_run_preload.so " + Self.library + "fiu_posix_preload.so",
            "FIU_CTRL_FIFO": control,
        ]
    }

    /// From now on a call fails with an errno, each time.
    func fail(_ point: String, errno: Int32, in process: Int32) throws {
        try tell("enable name=\(point),failinfo=\(errno)", process)
    }

    func mend(_ point: String, in process: Int32) throws { try tell("disable name=\(point)", process) }

    private func tell(_ command: String, _ process: Int32) throws {
        guard try SystemProgram.run("/usr/bin/fiu-ctrl", ["-f", control, "-c", command, String(process)]) else {
            throw CocoaError(.executableLoad)
        }
    }
}
