internal import Hummingbird

/// What is kept of a request's connection: the part of the client's address that a failed login is recorded under.
struct ExporterContext: InitializableFromSource, Sendable {
    let prefix: AddressPrefix

    init(source: ApplicationRequestContextSource) { prefix = AddressPrefix(source.channel.remoteAddress) }
}
