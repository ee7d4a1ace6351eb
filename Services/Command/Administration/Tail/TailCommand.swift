package import ArgumentParser
import CommandSupport
import Dispatch
import Foundation
import ServiceKit
import ZeroMQ

/// `nkul tail`: follows alert topics in the terminal.
package struct TailCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Follows alert topics, live.",
        discussion: """
            First the present state of every alarm under the prefixes, then every change as it is published. What is missed
            while the router or the network is away is asked for and shown in order. Topics are
            alerts/<plmn>/<severity>/<quadkey>, or alerts/site/<number>/<severity>/<subject> of what belongs to no network;
            "alerts/" may be left out: nkul tail 62401/critical/122223
            """)

    @OptionGroup var settings: CommandSettings

    @Option(help: "Whose endpoint to follow (default regulator); its key file in NKUL_HOME/keys says where it is.")
    var tenant: String?

    @Option(help: "A file with what \"nkul admin tenant add --json\" printed: the subscriber's key and addresses.")
    var keys: String?

    @Option(help: "Begin with the messages after this number instead of the present state.")
    var since: Int64?

    @Flag(help: "End when everything there is has been shown.")
    var once = false

    @Flag(help: "One JSON object per line: {topic, event, alarm}.")
    var json = false

    @Argument(help: "Topic prefixes (default: all).")
    var prefix: [String] = []

    package init() {}

    package func validate() throws {
        if let since, since < 0 { throw ValidationError("--since: \(since) is not a number of a message") }
        if let tenant, tenant.isEmpty || tenant.contains("/") {
            throw ValidationError("--tenant: \"\(tenant)\" is not a tenant")
        }
        if let long = topics.first(where: { $0.utf8.count > 256 }) {
            throw ValidationError("\(long.prefix(40))…: no topic is longer than 256 bytes")
        }
    }

    package func run() async throws {
        let keys = try await loadKeys()
        let end = TailEnd()
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { end.finish() }
            source.resume()
            return source
        }
        defer { for source in signals { source.cancel() } }
        let thread = SocketThread(name: "tail", context: try Context())
        thread.start()
        defer { thread.stop() }
        let style: TailLine.Style = json ? .json : TailOutput.isColourful ? .coloured : .plain
        try thread.call { [topics, since, once] loop in
            let session = TailSession(
                keys, prefixes: topics, since: since, once: once, style: style, output: TailOutput(), end: end,
                loop: loop)
            try session.open(prefixes: topics)
        }
        try await end.wait()
    }

    /// The keys of the file that is given, or of the home.
    private func loadKeys() async throws -> TailKeys {
        if let keys { return try TailKeys.read(keys, tenant: tenant) }
        return try TailKeys.load(tenant: tenant ?? "regulator", from: try await settings.common().home)
    }

    /// The prefixes as topics, without those that another one includes.
    private var topics: [String] {
        let full = prefix.map { $0.hasPrefix("alerts") ? $0 : "alerts/" + $0 }
        let distinct = Set(full.isEmpty ? ["alerts/"] : full)
        return distinct.filter { topic in !distinct.contains { $0 != topic && topic.hasPrefix($0) } }.sorted()
    }
}
