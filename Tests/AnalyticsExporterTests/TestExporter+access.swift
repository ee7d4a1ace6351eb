import ExporterAPI
import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import Storage

@testable import AnalyticsExporter

extension TestExporter {
    /// Adds a tenant as `nkul admin` does, without waiting for a router; returns its first contact's token.
    func tenant(_ name: String, _ plmns: [String], regulator: Bool = false, originalIDs: Bool = false) async throws
        -> String
    {
        let answer = try await tenantCalls.add([
            "name": .string(name), "plmns": .array(plmns.map { .string($0) }), "regulator": .bool(regulator),
            "original_ids": .bool(originalIDs),
        ])
        return answer["token"]!.string!
    }

    func contact(_ name: String, of tenant: String, _ role: ContactRole) async throws -> String {
        let answer = try await contactCalls.add([
            "tenant": .string(tenant), "name": .string(name), "role": .string(role.rawValue),
        ])
        return answer["token"]!.string!
    }

    var tenantCalls: TenantCalls { TenantCalls(changes: changes, logger: Self.logger, patience: .zero) }
    var contactCalls: ContactCalls { ContactCalls(changes: changes, logger: Self.logger) }
    var documentCalls: DocumentCalls {
        DocumentCalls(
            changes: changes, rules: api.services.managed.rules, programmes: .qoe,
            clock: WallClock { TestExporter.now }, logger: Self.logger)
    }

    /// A notifier has run, and published its keys: `key` is the private one.
    func giveNotifierKey(_ key: [UInt8] = RecipientSeal.newKey()) throws {
        let document = ChannelKeyDocument(
            id: "0123456789abcdef", publicKey: Data(try RecipientSeal.publicKey(of: key)).base64EncodedString(),
            vapidKey: "BNcR")
        var lane = TestLane(.deliveries)
        try take([
            try lane.documents(
                [(key: "current", document: String(decoding: try SortedJSON.bytes(of: document), as: UTF8.self))],
                .channelKey)
        ])
    }

    static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    /// Logs in and returns the `Cookie` header of the session.
    func logIn(_ token: String, from prefix: AddressPrefix = .none) async -> (response: Response, cookie: String?) {
        let response = await request(
            .post, "/v1/session", headers: [:], body: #"{"token":"\#(token)"}"#, from: prefix)
        return (response, response.headers[.setCookie].map { String($0.prefix { $0 != ";" }) })
    }
}
