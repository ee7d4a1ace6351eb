import Models
import OpenFormats
import QoE

/// NetMonster's list of cells (`.ntm`): a line for each cell and where it was heard best, without a header and without times.
///
///     4G;624;01;11;7000;21;132;4.0511;9.7679;Akwa;1850
struct NetMonsterList: ImportFormat {
    static let name = "NetMonster"
    static let header = ImportHeader([
        "technology", "mcc", "mnc", "cell", "area", "node", "code", "latitude", "longitude", "place", "channel",
    ])
    private static let technologies: [String: NetworkType] = ["2G": .gsm, "3G": .umts, "4G": .lte, "5G": .nrSA]

    private let device: String
    private let capturedAt: UnixMilliseconds

    /// Whether a file whose first row has these cells is such a list.
    static func begins(with cells: [String]) -> Bool {
        cells.count >= 9 && technologies[cells[0]] != nil && cells[1].count == 3 && Int(cells[1]) != nil
    }

    static func matches(_ header: ImportHeader) -> Bool { header == Self.header }

    static func uses(_ column: String) -> Bool { column != "place" }

    static func fewestCells(_ header: ImportHeader) -> Int { 9 }

    init(header: ImportHeader, device: String, settings: ImportSettings, path: String) throws {
        guard let time = settings.capturedAt else {
            throw RecordingError(
                path, "a list of cells by NetMonster, without times: --captured-at TIME says when they were heard")
        }
        self.device = device
        capturedAt = time
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        let list = ImportCells(cells: cells, header: Self.header)
        guard let type = Self.technologies[list["technology"]] else {
            ledger.note(.unknownNetwork, list["technology"])
            ledger.note(.noCell, list["technology"])
            return nil
        }
        var row = RecordingRow(device: device)
        row.capturedAt = capturedAt
        ledger.note(.suppliedTime)
        list.readPlace("latitude", "longitude", accuracy: "accuracy", into: &row, &ledger)
        row.values[ColumnID.networkType] = type.rawValue
        ServingCell(
            mcc: "mcc", mnc: "mnc", area: "area", cell: "cell", code: "code", channel: "channel"
        ).read(list, type, into: &row, &ledger)
        joinNode(list, type, &row, &ledger)
        return ImportedRow(row: row, line: cells.line, hasOperator: row.values[ColumnID.mcc] != nil)
    }

    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) { TraceClock.makeDistinct(&rows, &ledger) }

    /// The cell's identity stands in two parts on 3G and 4G.
    private func joinNode(
        _ list: ImportCells, _ type: NetworkType, _ row: inout RecordingRow, _ ledger: inout ImportLedger
    ) {
        let bits: Int64 = type == .lte ? 8 : type == .umts ? 16 : 0
        guard bits > 0, let cell = row.values[ColumnID.cellID], cell < 1 << bits,
            let node = list.value("node", as: ColumnID.areaCode, &ledger), node > 0
        else { return }
        row.values[ColumnID.cellID] = node << bits | cell
    }
}
