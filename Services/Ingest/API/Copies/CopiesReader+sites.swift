internal import GRDB
package import Models
internal import NIOPosix
internal import Storage

extension CopiesReader {
    /// Documents of sites and sensors, and when the last change that was read of operators' documents was committed.
    ///
    /// - Parameter known: nil is given back if there was no change since.
    package func sites(unless known: UnixMilliseconds?) async throws -> (
        asOf: UnixMilliseconds?, sites: [[UInt8]], sensors: [[UInt8]]
    )? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                let asOf = try DocumentCopies.asOf(.operations, db)
                guard asOf == nil || asOf != known else { return nil }
                return (asOf, try DocumentCopies.documents(.site, db), try DocumentCopies.documents(.sensor, db))
            }
        }
    }
}
