package import Crypto
package import ExporterRows
package import ExporterSupport
internal import GRDB
internal import Models
internal import SubjectRights
internal import Wire

/// Which tenant must delete what of the rows that go, and which of its exports have them: gathered row by row, for each who
/// could have downloaded them.
package struct NoticeDrafts {
    /// Rows that a tenant knows by one day and one pseudonym.
    struct Draft: Equatable {
        var rows = 0
        var captured: ClosedRange<UnixMilliseconds>
        /// Everything that the tenant has under that name goes.
        var isWhole: Bool
    }

    struct Key: Hashable {
        let tenant: Int64
        let day: String
        /// The device's pseudonym.
        let device: String
    }

    private(set) var drafts: [Key: Draft] = [:]
    /// The exports that have the rows.
    package private(set) var hours: Set<TenantHour> = []
    private let layout: RawRowLayout
    private var readers: [(tenant: Tenant, names: Pseudonyms)]

    /// - Parameters:
    ///   - layout: of the rows.
    ///   - tenants: those that are there, the built-in regulator too.
    ///   - key: of pseudonyms.
    package init(_ layout: RawRowLayout, tenants: [Tenant], key: SymmetricKey) {
        self.layout = layout
        readers = tenants.map { ($0, Pseudonyms(key: key, tenant: $0)) }
    }

    /// Adds rows of a block, which must have a device.
    mutating func add(_ rows: [Int], of block: StoredBlock, _ filter: ErasureFilter) {
        let owners = RowOwners(block.columns, layout.scope(of: block.kind.id)),
            identity = IdentityColumns(block.columns)
        let captured = block.columns[ColumnID.capturedAt], received = block.columns[ColumnID.receivedAt]
        for place in readers.indices {
            let tenant = readers[place].tenant
            for row in rows where owners.isShown(row, to: tenant.scope) {
                hours.insert(
                    TenantHour(tenant: tenant.number, hour: ReceivedHour.number(of: received?.integer(row) ?? 0)))
                guard let device = identity.device(row) else { continue }
                let time = captured?.integer(row) ?? 0
                let name = readers[place].names.text(of: device, day: block.day)
                let key = Key(tenant: tenant.number, day: block.day, device: String(decoding: name, as: UTF8.self))
                let isWhole = filter.takesEverything(of: UInt64(bitPattern: device))
                drafts[key, default: Draft(captured: time...time, isWhole: isWhole)].add(time)
            }
        }
    }
}

extension NoticeDrafts.Draft {
    mutating func add(_ time: UnixMilliseconds) {
        rows += 1
        captured = min(captured.lowerBound, time)...max(captured.upperBound, time)
    }
}
