internal import Foundation
internal import IngestAPI
internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Lanes
internal import Models
internal import ServiceKit

/// What ingest answers on its control socket: `reader.list`, `reader.detach`, `device.list`, `device.show`, `device.revoke`,
/// `erasure.add`, `access.add`, `access.read`, `operations.copies`.
struct IngestCalls: Sendable {
    let requests: WriterRequests<IngestEngine>
    let register: DeviceRegister
    let directory: DeviceDirectory
    let copies: CopiesReader
    let queue: CommitQueue
    /// Milliseconds in which an erasure must be completed.
    let erasureDeadline: UnixMilliseconds
    let clock: WallClock
    /// Whom a subscriber may ask about a copy; nil if none is set.
    var dataContact: String?

    /// A page of `device.list`.
    struct Page: Encodable, Sendable {
        let devices: [RegisteredDevice]
        /// `after` of the next page; left out on the last one.
        let next: Int64?
    }

    /// Devices of one page at most.
    static let mostDevices: Int64 = 1_000

    var all: [ControlCall] {
        [
            .typed("reader.list", JSONValue.self) { _ in try await requests.perform { $0.readerStandings } },
            .typed("reader.detach", ReaderDetachment.self) { wish in
                try await requests.perform { try $0.detach(wish) }
            },
            .typed("device.list", JSONValue.self) { try await page($0) },
            .typed("device.show", JSONValue.self) { try await device($0) },
            .typed("device.revoke", JSONValue.self) { try await revoke($0) },
            .typed("erasure.add", JSONValue.self) { try await erase($0) },
            .typed("access.add", JSONValue.self) { try await requestAccess($0) },
            .typed("access.read", JSONValue.self) { try await readAccess($0) },
            .typed("operations.copies", JSONValue.self) { _ in try await copies.documents() },
        ]
    }

    func page(_ arguments: JSONValue) async throws -> Page {
        let limit = try arguments.integer("limit", default: 100, in: 1...Self.mostDevices)
        let found = try await register.devices(after: try arguments.integer("after", default: 0), limit: limit + 1)
        let devices = Array(found.prefix(Int(limit)))
        return Page(devices: devices, next: found.count > devices.count ? devices.last?.ordinal : nil)
    }

    func device(_ arguments: JSONValue) async throws -> RegisteredDevice {
        let name = try arguments.text("device")
        guard let device = try await register.device(name) else {
            throw ControlError.notFound("there is no device \"\(name.prefix(64))\"; devices have a UUID or a number")
        }
        return device
    }

    func revoke(_ arguments: JSONValue) async throws -> RegisteredDevice {
        let device = try await device(arguments)
        try await requests.perform { [clock] in try $0.revoke(device: device.ordinal, now: clock.now()) }
        directory.revoke(UInt64(device.ordinal))
        return try await self.device(arguments)
    }

    /// Takes a wish for a subscriber who asked an operator; the scope is written as phones write it.
    func erase(_ arguments: JSONValue) async throws -> JSONValue {
        let device = try await device(arguments), now = clock.now()
        let wish = JSONValue.object(["scope": arguments["scope"] ?? ["all": true]])
        let scope: ErasureScope
        do { scope = try ErasureWish.read(try SortedJSON.bytes(of: wish), now: now) } catch let problem
            as DeviceAPIError
        {
            throw ControlError(code: ControlError.badArgument, message: problem.detail ?? problem.title)
        }
        let change = ErasureChange(
            device: UInt64(device.ordinal), request: UUID().uuidString.lowercased(), scope: scope,
            source: .operatorAdmin, dueAt: now + erasureDeadline)
        switch await queue.ask(change) {
        case .success(let time):
            if scope.isEverything { directory.revoke(change.device) }
            return try JSONValue(bytes: ErasureStandingAnswer(change, requestedAt: time).body)
        case .failure(let problem): throw ControlError.refused(problem.detail ?? problem.title)
        }
    }
}
