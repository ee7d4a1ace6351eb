import Foundation
import ServiceKit

/// A file that is open, so that it stays what it was whatever takes its name.
final class PlainFile {
    let path: String
    let bytes: Int
    let descriptor: Int32

    init(_ path: String, in home: Home) throws {
        self.path = path
        descriptor = open("\(home.path)/\(path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        var information = stat()
        guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
            throw ServiceError(.failed, "cannot read \(path)", errno: errno)
        }
        bytes = Int(information.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
