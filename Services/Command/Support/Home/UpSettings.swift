package import ServiceKit

/// The settings of `nkul up`.
package struct UpSettings: Sendable {
    /// `NKUL_SERVICES`, and the notifier with `NKUL_NOTIFIER=1`: which services to start.
    package let services: [ServiceName]

    /// - Throws: ``ServiceError`` of code `usage` naming a service that is unknown.
    package init(_ settings: Settings) throws {
        let all = ServiceName.built.map(\.rawValue).joined(separator: ",")
        let text = try settings.value(.text("NKUL_SERVICES", default: all, "services that nkul up starts, by comma"))
        let named = try text.split(separator: ",").map { try Self.service(String($0)) }
        let hasNotifier = try settings.value(.notifier)
        services = named + (hasNotifier && !named.contains(.notifier) ? [.notifier] : [])
        guard !named.isEmpty, Set(services).count == services.count else {
            throw ServiceError(
                .usage, "NKUL_SERVICES: \"\(text)\" is not a list of different services; expected some of \(all)")
        }
    }

    /// `ingest` and `nkul-ingest` mean the same.
    private static func service(_ text: String) throws -> ServiceName {
        let word = text.filter { $0 != " " }
        let name = word.hasPrefix("nkul-") ? String(word.dropFirst("nkul-".count)) : word
        let all = ServiceName.allCases.map(\.rawValue).joined(separator: ", ")
        guard let service = ServiceName(rawValue: name) else {
            throw ServiceError(.usage, "NKUL_SERVICES: \"\(name)\" is not a service; expected some of \(all)")
        }
        return service
    }
}
