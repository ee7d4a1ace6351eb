package import IngestSupport
internal import NIOPosix
internal import Storage
internal import SubjectRights

/// What the directory's database says of copies.
extension DeviceDirectory {
    /// A request for access; nil if there is none, or its device is erased.
    package func access(_ request: String) async throws -> AccessTicket? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).access(request) }
        }
    }

    /// The private key of a request; nil if it is deleted.
    package func accessKey(_ request: String) async throws -> [UInt8]? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).accessKey(request) }
        }
    }

    /// A page of what ingest itself holds about a device.
    func heldPage(of device: UInt64, after place: String?) async throws -> SubjectPage {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { try DeviceCopy.page(of: device, after: place, in: $0) }
        }
    }

    /// The UUID that a device was told, 16 bytes.
    func identifier(of device: UInt64) async throws -> [UInt8]? {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.readOne { try IngestStore($0).names(of: device)?.id }
        }
    }
}
