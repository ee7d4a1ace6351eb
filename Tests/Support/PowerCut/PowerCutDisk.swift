internal import CPowerCut

/// A directory whose SQLite files can lose power: ``cut(seed:)`` leaves what a real disk might have kept.
///
/// Everything SQLite does below the directory through the VFS ``vfs`` is watched. Only what was synced is sure to survive;
/// of the rest any subset of sectors may, torn ones included, and so may new files and deletions whose directory was not
/// synced. Usable from any thread.
public final class PowerCutDisk: @unchecked Sendable {
    // Sendable: the C functions take a lock.

    /// Name of the VFS, for `DatabaseOptions.vfs`.
    public static let vfs = "powercut"
    /// The directory watched.
    public let directory: String
    private let disk: OpaquePointer

    /// Watches an existing directory until the object goes.
    public init(directory: String) {
        let code = nkul_power_cut_register()
        precondition(code == 0, "SQLite refused the VFS: \(code)")
        guard let disk = nkul_disk_create(directory) else {
            preconditionFailure("\(directory) does not exist or is watched already")
        }
        self.directory = directory
        self.disk = disk
    }

    deinit { nkul_disk_free(disk) }

    /// Cuts the power and gives it back. Connections that were open are dead; open the files again.
    public func cut(seed: UInt64) { nkul_disk_cut(disk, seed) }

    /// Lets every operation fail after so many more that change something, as if the machine had stopped; ended by a cut.
    public func stop(after operations: Int) { nkul_disk_stop_after(disk, Int64(operations)) }

    /// Whether it did, and power has not been cut since.
    public var hasStopped: Bool { nkul_disk_has_stopped(disk) != 0 }

    /// Lets one sync fail after so many more. What it should have written never becomes durable.
    public func failSync(after syncs: Int) { nkul_disk_fail_sync_after(disk, Int64(syncs)) }

    /// Bytes all files may have together; nil is no limit.
    public func setCapacity(_ bytes: Int?) { nkul_disk_set_capacity(disk, bytes.map(Int64.init) ?? -1) }

    /// Operations that changed something, and syncs among them, since the beginning.
    public var operations: Int { Int(nkul_disk_operations(disk)) }
    public var syncs: Int { Int(nkul_disk_syncs(disk)) }
}
