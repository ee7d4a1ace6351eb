import Channels
import ExporterAPI
import Foundation
import Models
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ServiceKit

/// `channel.*` on the exporter's control socket.
@Suite struct ChannelCallsTests {
    private let directory: TemporaryDirectory
    private let exporter: TestExporter

    init() throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory)
    }

    private func answer(_ name: String, _ arguments: JSONValue) async throws -> JSONValue {
        try await ChannelCalls(channels: exporter.api.services.managed.channels).all.first { $0.name == name }!.answer(
            arguments)
    }

    private func sealed(_ secret: String) throws -> JSONValue {
        let key = try RecipientSeal.publicKey(of: RecipientSeal.newKey())
        return try ChannelSealing.seal(
            [
                "kind": "webhook", "tenant": "regulator", "url": "https://a.org/x",
                "secrets": ["hmac_key": .string(secret)],
            ],
            id: "hook",
            to: ChannelKeyDocument(
                id: "0123456789abcdef", publicKey: Data(key).base64EncodedString(), vapidKey: ""), AddressPolicy())
    }

    @Test func `a channel is published with its secrets sealed, and shown without them`() async throws {
        let document = try sealed("0123456789abcdef0")
        let shown = try await answer("channel.set", ["id": "hook", "document": document])
        #expect(shown["has_secrets"] == true && shown["sealed"] == nil && shown["id"] == "hook")
        #expect(try await answer("channel.list", [:]) == [shown])
        #expect(try await answer("channel.remove", ["id": "hook"])["removed"] == true)
        await #expect(throws: ControlError.self) { try await answer("channel.remove", ["id": "hook"]) }
        #expect(try exporter.worker.published() == ["channel hook \(document.text)", "channel hook gone"])
    }

    @Test(
        arguments: [
            (["kind": "email", "tenant": "nobody", "to": "a@b.cm"], "document.tenant is \"nobody\""),
            (
                ["kind": "alertmanager", "tenant": "regulator", "url": "http://169.254.169.254/"],
                "document.url names 169.254.169.254"
            ),
            (
                ["kind": "webhook", "tenant": "regulator", "url": "https://a.org/", "secrets": [:]],
                "document.sealed is missing"
            ),
            (
                ["kind": "email", "tenant": "regulator", "to": "a@b.cm", "filter": ["networks": ["1"]]],
                "document.filter.networks[0]"
            ),
        ] as [(JSONValue, String)])
    func `what is no channel is refused by the name of its field, and nothing is published`(
        _ document: JSONValue, _ words: String
    ) async throws {
        let error = await #expect(throws: ControlError.self) {
            try await answer("channel.set", ["id": "c", "document": document])
        }
        #expect(
            error?.code == ControlError.badArgument && error?.message.contains(words) == true, "\(error?.message ?? "")"
        )
        #expect(try exporter.worker.published().isEmpty)
    }

    @Test func `secrets in clear are refused, and not shown`() async throws {
        let error = await #expect(throws: ControlError.self) {
            try await answer(
                "channel.set",
                [
                    "id": "c",
                    "document": [
                        "kind": "email", "tenant": "regulator", "to": "a@b.cm",
                        "secrets": ["hmac_key": "0123456789abcdef"],
                    ],
                ])
        }
        #expect(error?.message.contains("document.secrets is unknown") == true)
        #expect(error?.message.contains("0123456789abcdef") == false)
    }
}
