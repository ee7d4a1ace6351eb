public import Lanes
public import Storage

extension ErasingEffects {
    /// The effects of a service with access and erasure around them: what its engine is given.
    ///
    /// - Parameters:
    ///   - plan: of the erasures; parts of answers travel on the lane of its receipts.
    ///   - copy: what the service holds.
    ///   - records: how it forgets that.
    ///   - database: that of the effects and of the journals.
    ///   - journals: of the lanes that the service writes.
    ///   - key: signs the receipts of erasures, and says who gives.
    public convenience init(
        _ service: any BlockEffects, _ plan: ErasurePlan, copy: any SubjectCopy, records: any SubjectRecords,
        database: ServiceDatabase, journals: [Journal], key: ReceiptKey
    ) throws {
        guard let lane = plan.lane, let journal = journals.first(where: { $0.lane == lane }) else {
            preconditionFailure("\(key.service) has no lane to give parts on")
        }
        let access = try AccessRounds(
            AccessPlan(service: key.service, partsOn: lane, reads: plan.barriers), database: database,
            journal: journal, copy: copy)
        let rounds = try ErasureRounds(
            plan, database: database, journals: journals, records: AccessRecords(records, access), key: key)
        self.init(AccessEffects(service, access), rounds)
    }
}
