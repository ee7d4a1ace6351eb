/// How well an area and a period are covered by what was measured, 1 (hardly) to 5 (very well): the worst of four criteria.
package struct DataQuality: Equatable, Sendable {
    package static let version = 1

    /// What a level wants at least, from level 2 on.
    package struct Bar: Sendable {
        package let level: Int
        /// Devices that sent rows, at least.
        package let devices: Int64
        /// Effective devices of the indicator that has the fewest.
        package let effectiveDevices: Double
        /// Of the local days of the period, the share with values.
        package let days: Double
        /// Of the cells with rows, the share with at least five devices.
        package let cells: Double
    }

    package static let bars = [
        Bar(level: 2, devices: 10, effectiveDevices: 6, days: 0.25, cells: 0.05),
        Bar(level: 3, devices: 30, effectiveDevices: 20, days: 0.5, cells: 0.2),
        Bar(level: 4, devices: 100, effectiveDevices: 60, days: 0.75, cells: 0.4),
        Bar(level: 5, devices: 300, effectiveDevices: 150, days: 0.95, cells: 0.6),
    ]

    package let devices: Int64
    /// Nil: not known, which is level 1.
    package let effectiveDevices: Double?
    /// 0…1.
    package let days: Double
    /// 0…1.
    package let cells: Double

    package init(devices: Int64, effectiveDevices: Double?, days: Double, cells: Double) {
        self.devices = devices
        self.effectiveDevices = effectiveDevices
        self.days = days
        self.cells = cells
    }

    package var level: Int {
        Self.bars.last { bar in
            devices >= bar.devices && (effectiveDevices ?? 0) >= bar.effectiveDevices && days >= bar.days
                && cells >= bar.cells
        }?.level ?? 1
    }
}
