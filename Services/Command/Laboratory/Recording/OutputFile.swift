import Foundation
import ServiceKit

/// The file that a command writes, and those that it reads.
enum OutputFile {
    /// Refuses to write over a file that the command reads, and over any other unless that is wished.
    ///
    /// - Throws: `ServiceError` naming the file.
    static func check(_ path: String, inputs: [String] = [], isReplacing: Bool) throws {
        guard let file = Identity(path) else { return }
        if let input = inputs.first(where: { Identity($0) == file }) {
            throw ServiceError(.usage, "\(path) is \(input), which is read; write another file")
        }
        guard isReplacing else {
            throw ServiceError(.failed, "\(path) is there already; --force puts another in its place")
        }
    }

    /// Refuses a file that is given twice, whatever it is called.
    ///
    /// - Throws: `ServiceError` naming the file.
    static func refuseTwice(_ inputs: [String]) throws {
        var seen: [(file: Identity, path: String)] = []
        for path in inputs {
            guard let file = Identity(path) else { continue }
            if let first = seen.first(where: { $0.file == file })?.path {
                throw ServiceError(
                    .usage, first == path ? "\(path) is given twice" : "\(path) is \(first), given already")
            }
            seen.append((file, path))
        }
    }

    /// Which file a path leads to, whatever it is called.
    private struct Identity: Equatable {
        let device, number: NSNumber

        init?(_ path: String) {
            let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let found = try? FileManager.default.attributesOfItem(atPath: path),
                let device = found[.systemNumber] as? NSNumber, let number = found[.systemFileNumber] as? NSNumber
            else { return nil }
            (self.device, self.number) = (device, number)
        }
    }
}
