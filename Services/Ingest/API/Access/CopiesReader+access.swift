internal import Models
internal import NIOPosix
internal import Storage
internal import SubjectRights

/// What other services gave for a request for access.
extension CopiesReader {
    /// Services that have given everything, with the number of their last part.
    package func completeAccess(_ request: String) async throws -> [String: Int] {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try AccessCopies.complete(request, $0) }
        }
    }

    /// A part, opened.
    ///
    /// - Throws: ``AccessGone`` if it is not there any more; what ``AccessPart/open(_:_:with:)`` throws.
    func accessPart(_ request: String, _ service: String, _ index: Int, key: [UInt8]) async throws -> [UInt8] {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            guard let part = try reader.read({ try AccessCopies.part(request, service, index, $0) }) else {
                throw AccessGone()
            }
            return try AccessPart.open(part.sealed, part.document, with: key)
        }
    }
}

/// A request was closed, or its device erased, while its copy was being read.
struct AccessGone: Error {}
