import Models
import SubjectRights
import Wire

extension ErasureFilter {
    /// Open rows that go, and those that stay of devices of which others go; both ascending.
    func sift(openRows rows: Columns) throws -> (taken: [Int32], spared: [Int32]) {
        var taken: [Int32] = [], spared: [Int32] = []
        let columns = try OpenRowColumns(rows)
        for row in 0..<rows.rowCount {
            let device = UInt64(try columns.device(row))
            guard devices.contains(device) else { continue }
            if takes(device: device, capturedAt: columns.capturedAt(row), cell: columns.cell(row)) {
                taken.append(Int32(row))
            } else {
                spared.append(Int32(row))
            }
        }
        return (taken, spared)
    }
}
