import Foundation

/// By what it is seen that a certificate or its key was replaced, without reading them.
struct TLSStamp: Equatable {
    private let certificate: File
    private let key: File

    /// Looks at the files, through symbolic links.
    init(_ files: TLSFiles) {
        certificate = File(files.certificate)
        key = File(files.key)
    }

    /// True if others than its owner and group may read or write the key.
    var isKeyOpenToAll: Bool { (key.permissions ?? 0) & 0o007 != 0 }

    private struct File: Equatable {
        let path: String
        let modified: Date?
        let number: UInt64?
        let size: UInt64?
        let permissions: Int?

        init(_ path: String) {
            self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let found = try? FileManager.default.attributesOfItem(atPath: self.path)
            modified = found?[.modificationDate] as? Date
            number = (found?[.systemFileNumber] as? NSNumber)?.uint64Value
            size = (found?[.size] as? NSNumber)?.uint64Value
            permissions = (found?[.posixPermissions] as? NSNumber)?.intValue
        }
    }
}
