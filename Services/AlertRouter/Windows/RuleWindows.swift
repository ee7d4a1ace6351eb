package import Lanes
package import Models
package import Storage
package import SubjectRights

/// The windows of rules and the desk at which the router takes over what they find, wired as in production but without a thread and
/// sockets of their own: ``AlertWindows`` runs them on a thread, simulations step by step.
package final class RuleWindows {
    /// What `ServiceDatabase` needs to open the windows' database.
    package static let migrations = WindowsEffects.migrations
    /// Its name in the readers' tables of the writers, and among those who have nothing left of an erased subject.
    package static let reader = WindowsEffects.reader

    let effects: WindowsEffects
    let desk: TransitionDesk

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - trust: whose rows count.
    ///   - sealer: seals rows that wait for the next snapshot; nil: they are in clear.
    /// - Throws: `StorageError` if the database cannot be read.
    package convenience init(
        _ programmes: Programmes, _ database: ServiceDatabase, trust: TrustPolicy, sealer: BlockSealer?
    ) throws {
        try self.init(programmes, database, trust: trust, sealer: sealer) { _ in }
    }

    /// - Parameter shown: told after each commit what it did, before the router can take it over.
    init(
        _ programmes: Programmes, _ database: ServiceDatabase, trust: TrustPolicy, sealer: BlockSealer?,
        shown: @escaping (WindowsEffects.Told) -> Void
    ) throws {
        let effects = try WindowsEffects(
            programmes: programmes, database: database, trust: trust, sealer: sealer)
        let desk = try effects.desk(database)
        effects.taken = { desk.taken }
        effects.told = { told in
            shown(told)
            desk.wrote(through: told.newest, reached: told.reached)
        }
        (self.effects, self.desk) = (effects, desk)
    }

    /// What its engine is given, without the rights of subjects around it.
    package var rules: any BlockEffects { effects }

    /// What it declares of the rights of subjects.
    package var subjects: SubjectDeclaration { effects.subjects }

    /// The watermark to which the rules have gone on, Unix milliseconds; nil before the first since the start or the last snapshot.
    package var advancedTo: UnixMilliseconds? { effects.advancedTo == .min ? nil : effects.advancedTo }

    /// Stored rules that are not run, each with the reason.
    package var refusals: [String] { effects.refusals.map { "\($0.id): \($0.reason)" } }
}
