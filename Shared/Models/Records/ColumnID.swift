/// The number of a column on the wire and in every file: one list for all kinds, never reused, never renumbered.
///
/// Lanes and blocks carry numbers only; names belong to the device API (``Field/name``). Numbers from 128 on belong to single
/// kinds of other programmes. Free below that, beside those that the groups name: 91–99 and 104–127. 80 was used once.
public enum ColumnID {
    /// Key of a record on a state lane (bytes).
    public static let key: UInt8 = 0
    /// The one value of kinds that come singly (JSON text).
    public static let document: UInt8 = 100
    /// Networks that an alarm concerns beside that of its SIMs (texts of ``PLMN``, blanks between them).
    public static let networks: UInt8 = 101
    /// Bytes that only the holder of a private key opens.
    public static let sealed: UInt8 = 102
    /// What owns an alarm, where that is no network (text of a ``Scope``).
    public static let scope: UInt8 = 103

    // Identity and time; free: 9
    public static let id: UInt8 = 1
    public static let seq: UInt8 = 2
    public static let device: UInt8 = 3
    public static let receivedAt: UInt8 = 4
    public static let capturedAt: UInt8 = 5
    public static let clockOffset: UInt8 = 6
    public static let consentVersion: UInt8 = 7
    public static let flags: UInt8 = 8

    // Place; free: 15–19
    public static let latitude: UInt8 = 10
    public static let longitude: UInt8 = 11
    public static let accuracy: UInt8 = 12
    public static let locationSource: UInt8 = 13
    public static let speed: UInt8 = 14

    // Network; free: 28, 29, 34–39
    public static let networkType: UInt8 = 20
    public static let mcc: UInt8 = 21
    public static let mnc: UInt8 = 22
    public static let servingMCC: UInt8 = 23
    public static let servingMNC: UInt8 = 24
    public static let plmnSource: UInt8 = 25
    public static let simSlot: UInt8 = 26
    public static let roaming: UInt8 = 27
    public static let cellID: UInt8 = 30
    public static let areaCode: UInt8 = 31
    public static let pci: UInt8 = 32
    public static let channel: UInt8 = 33

    // Radio; free: 45–49
    public static let rsrp: UInt8 = 40
    public static let rsrq: UInt8 = 41
    public static let sinr: UInt8 = 42
    public static let rssi: UInt8 = 43
    public static let cqi: UInt8 = 44

    // Service; free: 62–69
    public static let download: UInt8 = 50
    public static let upload: UInt8 = 51
    public static let latency: UInt8 = 52
    public static let jitter: UInt8 = 53
    public static let loss: UInt8 = 54
    public static let testMethod: UInt8 = 55
    public static let testBytes: UInt8 = 56
    public static let testDuration: UInt8 = 57
    public static let testLeastRoundTrip: UInt8 = 58
    public static let testLoadedRoundTrip: UInt8 = 59
    public static let event: UInt8 = 60
    public static let mockLocation: UInt8 = 61

    // Feedback
    public static let rating: UInt8 = 70
    public static let comment: UInt8 = 71
    public static let trigger: UInt8 = 72
    public static let promptID: UInt8 = 73
    public static let reportID: UInt8 = 74

    // Outcomes of prompts; free: 78, 79
    public static let outcome: UInt8 = 75
    public static let policyVersion: UInt8 = 76
    public static let promptRule: UInt8 = 77

    // Statistics: open rows, cells
    public static let bucketStart: UInt8 = 81
    public static let level: UInt8 = 82
    public static let quadkey: UInt8 = 83
    public static let plmn: UInt8 = 84
    public static let technology: UInt8 = 85
    public static let samples: UInt8 = 86
    public static let devices: UInt8 = 87
    public static let histograms: UInt8 = 88
    /// The cell inside whose figures are this cell's too (``CellKey/bytes``).
    public static let source: UInt8 = 89
    /// How a cell's samples are spread over devices (``DeviceSpread``).
    public static let spreads: UInt8 = 90
}
