import Administration
import Models
import ServiceKit
import Storage

/// Backups and restores as `nkul backup` and `nkul restore` make them, without command line, signals and waiting: for
/// simulations.
struct BackupScript: Sendable {
    private let identity = RecipientSeal.newKey()

    init() {}

    /// Makes a backup of a home whose services may go on.
    ///
    /// - Parameters:
    ///   - file: must not exist.
    ///   - now: Unix milliseconds.
    /// - Throws: `ServiceError` if no moment is found at which the home is whole, or it was restored and not every service was
    ///   started since; errors of `pace`.
    func backUp(_ home: Home, to file: String, now: UnixMilliseconds, pace: BackupPace) throws {
        let recipient = try RecipientSeal.publicKey(of: identity)
        _ = try BackupRun(home: home, file: file, recipient: recipient, now: now).run(Interrupt(), pace: pace)
    }

    /// Makes a home of a backup.
    ///
    /// - Parameters:
    ///   - home: must not be there.
    ///   - newGeneration: random numbers that are not 0, one a lane.
    ///   - reached: told of each step that was done; what it throws ends the restore.
    /// - Returns: how many of the orders since concern devices of the backup.
    @discardableResult
    func restore(
        _ file: String, to home: Home, orders: LaterOrders, now: UnixMilliseconds, newGeneration: () -> UInt64,
        reached: (RestoreStep) throws -> Void
    ) throws -> Int {
        try RestoreRun(file: file, home: home, identity: identity, orders: orders, now: now)
            .run(Interrupt(), newGeneration: newGeneration, reached: reached).erased_again
    }
}
