#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The directory `keys/` (0700) with one file (0600) per secret.
///
/// Writing is atomic and durable: a file appears whole or not at all, and of two processes that create the same secret
/// at once the first wins and both get its bytes. Usable from any thread.
public struct KeyStore: Sendable {
    public let directory: String

    /// The store in a directory, which is made if it is missing.
    ///
    /// - Throws: ``StorageError`` `badKey` if others may look into the directory, `notWritable` if it cannot be made.
    public init(directory: String) throws {
        self.directory = directory
        if mkdir(directory, 0o700) != 0 && errno != EEXIST { throw SecretFile.failure(directory, errno) }
        try SecretFile.requirePrivate(directory)
    }

    /// The secret of a name, made by `make` if there is none yet.
    public func secret(_ name: String, make: () -> [UInt8]) throws -> [UInt8] {
        if let bytes = try existing(name) { return bytes }
        try SecretFile.create(at: path(name), bytes: make(), in: directory)
        guard let bytes = try existing(name) else {
            throw StorageError(.badKey, path: path(name), message: "vanished while it was made")
        }
        return bytes
    }

    /// The secret of a name, nil if there is none.
    public func existing(_ name: String) throws -> [UInt8]? {
        try SecretFile.content(of: path(name))
    }

    /// The secret in a file outside any store, nil if there is none; refuses one that others may read.
    public static func existing(at path: String) throws -> [UInt8]? {
        try SecretFile.content(of: path)
    }

    /// Replaces or makes a secret.
    public func store(_ name: String, _ bytes: [UInt8]) throws {
        try SecretFile.replace(path(name), bytes: bytes, in: directory)
    }

    /// Takes a secret away; does nothing if there is none.
    public func remove(_ name: String) throws {
        if unlink(path(name)) != 0 && errno != ENOENT { throw SecretFile.failure(path(name), errno) }
    }

    /// The sealer of a service's blocks, by `<service>.key` (32 random bytes, made on first use).
    public func blockSealer(service: String) throws -> BlockSealer {
        let name = "\(service).key"
        var generator = SystemRandomNumberGenerator()
        let key = try secret(name) { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        guard key.count == 32 else {
            throw StorageError(.badKey, path: path(name), message: "holds \(key.count) bytes instead of 32")
        }
        return BlockSealer(key: key)
    }

    /// Path of the file of a secret.
    public func path(_ name: String) -> String { "\(directory)/\(name)" }
}
