internal import Hummingbird
internal import ServiceKit

/// What is kept of a request's connection: the part of the client's address that a failed login is recorded under.
struct ExporterContext: InitializableFromSource, Sendable {
    let prefix: AddressPrefix

    init(source: ApplicationRequestContextSource) { prefix = ClientAddress(source.channel.remoteAddress).prefix }
}
