import Models
import QoE

/// Which network, which operator, which cell.
enum GNetTrackNetwork {
    static let columns = ["Operator", "Operatorname", "RAWCELLID", "Node", "CellID", "LACHEX", "LAC", "ARFCN", "PSC"]

    static func read(_ log: ImportCells, into result: inout ImportedRow, _ ledger: inout ImportLedger) -> NetworkType {
        readOperator(log, into: &result, &ledger)
        let text = log.first(of: GNetTrackLog.networkNames)
        let named = text == "5G" ? NetworkType.nrNSA : ImportCells.networkType(text, &ledger)
        let cell = cell(log, named, &ledger)
        let type = text == "5G" ? fifthGeneration(cell, text, &ledger) : named
        result.row.values[ColumnID.networkType] = type.rawValue
        result.row.values[ColumnID.channel] = log.value("ARFCN", as: ColumnID.channel, &ledger)
        if type.technology == .g4 || type.technology == .g5 {
            result.row.values[ColumnID.pci] = log.value("PSC", as: ColumnID.pci, &ledger)
        }
        guard let cell, cell > 0 else {
            if cell != nil { ledger.note(.unknownCell, log.first(of: ["RAWCELLID", "CellID"])) }
            return type
        }
        result.row.values[ColumnID.cellID] = cell
        result.row.values[ColumnID.areaCode] = area(log, &ledger)
        return type
    }

    /// G-NetTrack says "5G" when Android shows it; a cell identity that fits LTE's 28 bits is the anchor's.
    private static func fifthGeneration(_ cell: Int64?, _ text: String, _ ledger: inout ImportLedger) -> NetworkType {
        guard let cell, cell < 1 << 28 else { return .nrSA }
        ledger.note(.nonStandalone, text)
        return .nrNSA
    }

    /// The whole identity; the Pro version has it in two parts: the base station (eNodeB, RNC) and the cell there.
    private static func cell(_ log: ImportCells, _ type: NetworkType, _ ledger: inout ImportLedger) -> Int64? {
        if log.has("RAWCELLID") { return log.value("RAWCELLID", as: ColumnID.cellID, &ledger) }
        guard let cell = log.value("CellID", as: ColumnID.cellID, &ledger) else { return nil }
        let bits: Int64
        switch type.technology {
        case .g4, .g5: bits = 8
        case .g3: bits = 16
        default: return cell
        }
        guard cell > 0, cell < 1 << bits, let node = log.value("Node", as: ColumnID.areaCode, &ledger), node > 0 else {
            return cell
        }
        return node << bits | cell
    }

    private static func area(_ log: ImportCells, _ ledger: inout ImportLedger) -> Int64? {
        let hexadecimal = Int64(log["LACHEX"], radix: 16)
        let area = log.has("LACHEX") ? hexadecimal : log.value("LAC", as: ColumnID.areaCode, &ledger)
        return area.flatMap { $0 > 0 && $0 < 1 << 24 ? $0 : nil }
    }

    private static func readOperator(_ log: ImportCells, into result: inout ImportedRow, _ ledger: inout ImportLedger) {
        if let plmn = PLMN(text: log["Operator"]) {
            result.row.values[ColumnID.mcc] = plmn.mcc
            result.row.values[ColumnID.mnc] = plmn.mnc
            return
        }
        let text = log["Operatorname"]
        if text == "0" || text == "-" || text.isEmpty {
            ledger.note(.operatorMissing, text)
            result.hasOperator = false
        } else if let plmn = PLMN(text: text) {
            ledger.note(.operatorIsNumber, text)
            result.row.values[ColumnID.mcc] = plmn.mcc
            result.row.values[ColumnID.mnc] = plmn.mnc
        } else {
            ledger.note(.operatorWithoutNumber, text)
        }
    }
}
