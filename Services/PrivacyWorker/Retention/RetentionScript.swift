/// Runs that operators ask for, without control sockets and without waiting: for simulations.
///
/// What is asked for becomes an order in a step of the engine soon after, or is forgotten if the service dies before: the table
/// `retention_orders` says what became of it.
public final class RetentionScript: Sendable {
    let wishes = RetentionWishes()

    public init() {}

    /// Asks for a run, or to be told what it would do; too many at once are left out.
    public func ask(isDryRun: Bool) { _ = wishes.add(isDryRun: isDryRun) }
}
