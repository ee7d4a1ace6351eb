import Models
import QoE

/// Which network, which operator, which cell.
enum GNetTrackNetwork {
    static func read(_ log: GNetTrackCells, into result: inout ImportedRow, _ ledger: inout ImportLedger) -> NetworkType
    {
        readOperator(log, into: &result, &ledger)
        let cell = log.value("RAWCELLID", ColumnID.cellID, &ledger)
        let type = networkType(log["NetworkMode"], cell: cell, &ledger)
        result.row.values[ColumnID.networkType] = type.rawValue
        guard let cell, cell > 0 else {
            if cell != nil { ledger.note(.unknownCell, log["RAWCELLID"]) }
            return type
        }
        result.row.values[ColumnID.cellID] = cell
        result.row.values[ColumnID.areaCode] = Int64(log["LACHEX"], radix: 16).flatMap {
            $0 > 0 && $0 < 1 << 24 ? $0 : nil
        }
        return type
    }

    /// G-NetTrack says "5G" when Android shows it; a cell identity that fits LTE's 28 bits is the anchor's.
    private static func networkType(_ text: String, cell: Int64?, _ ledger: inout ImportLedger) -> NetworkType {
        if text == "5G", let cell, cell < 1 << 28 {
            ledger.note(.nonStandalone, text)
            return .nrNSA
        }
        guard let code = Choices.networkType.code(of: text), let type = NetworkType(rawValue: code) else {
            ledger.note(.unknownNetwork, text)
            return .unknown
        }
        return type
    }

    private static func readOperator(
        _ log: GNetTrackCells, into result: inout ImportedRow, _ ledger: inout ImportLedger
    ) {
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
