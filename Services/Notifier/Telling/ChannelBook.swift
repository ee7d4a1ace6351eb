internal import Channels
internal import Models
internal import ServiceKit

/// The channels that can be used, compiled, and why others cannot. A value, made anew when a document or a tenant changes.
struct ChannelBook {
    /// A channel with what is needed to use it.
    struct Usable {
        let channel: Channel
        let secrets: ChannelSecrets
        /// What its tenant owns; nil for a regulator.
        let owned: Set<Scope>?
    }

    private(set) var usable: [String: Usable] = [:]
    /// By the name of the channel, in a sentence.
    private(set) var problems: [String: String] = [:]

    /// In the order of their names.
    var all: [Usable] { usable.values.sorted { $0.channel.id < $1.channel.id } }

    init() {}

    /// - Parameter privateKey: the notifier's, of an id.
    init(
        _ stored: [ChannelStore.Stored], tenants: [String: Set<Scope>?], _ settings: NotifierSettings,
        privateKey: (String) -> [UInt8]?
    ) {
        for one in stored {
            guard usable.count < settings.mostChannels else {
                problems[one.id] = "there are more than \(settings.mostChannels) channels"
                continue
            }
            guard one.gone.isEmpty else {
                problems[one.id] = "is over: \(one.gone)"
                continue
            }
            do throws(DocumentRefusal) {
                let channel = try Channel(
                    compiling: (try? JSONValue(bytes: one.document)) ?? .null, id: one.id, settings.policy)
                let secrets = try channel.secrets(settings.policy, with: privateKey)
                if let owned = tenants[channel.tenant] {
                    usable[one.id] = Usable(channel: channel, secrets: secrets, owned: owned)
                } else {
                    problems[one.id] = "there is no tenant \"\(channel.tenant)\""
                }
            } catch { problems[one.id] = error.description }
        }
    }

    /// Whom a call to a tenant's contacts does not reach, as `tenant/name` or `channel id`.
    func unreachable(by call: AlarmCare.Call, of tenant: String) -> [String] {
        let own = usable.values.map(\.channel).filter { $0.tenant == tenant }
        let contacts = call.contacts.subtracting(own.compactMap(\.contact)).sorted().map { "\(tenant)/\($0)" }
        return contacts + call.channels.subtracting(own.map(\.id)).sorted().map { "channel \($0)" }
    }
}
