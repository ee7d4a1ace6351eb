internal import Models
internal import SubjectRights
internal import Wire

/// The alarm that little is left with the provider of rewards: follows what the dispatcher tells.
struct LowFloat {
    private let store: AlertRouterStore

    init(_ store: AlertRouterStore) { self.store = store }

    /// Raises or clears it by the last row of a block of kind `provider_state`; true if it did.
    func follow(_ columns: Columns, _ notifications: inout AlarmNotifications) throws -> Bool {
        guard let (_, state) = try columns.documents(ProviderStateDocument.self).last else { return false }
        return try store.settle(
            .lowFloat, .lowFloat(), late: state.isLow || state.isUnfunded ? 1 : 0, &notifications)
    }
}
