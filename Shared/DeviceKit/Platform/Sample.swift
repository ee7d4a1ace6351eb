public import QoE

/// What one SIM card sees of its network. What the system does not tell is nil; no value stands for another.
public struct SIMReading: Sendable, Equatable {
    /// 0…7.
    public var slot: Int64
    /// Of the card.
    public var mcc: Int64?
    public var mnc: Int64?
    /// Where it is registered with another network.
    public var servingMCC: Int64?
    public var servingMNC: Int64?
    public var isRoaming: Bool?
    /// ``NetworkType/none`` without service.
    public var networkType: NetworkType
    public var cellID: Int64?
    public var areaCode: Int64?
    public var pci: Int64?
    public var channel: Int64?
    /// dBm, dB, dB, dBm.
    public var rsrp: Double?
    public var rsrq: Double?
    public var sinr: Double?
    public var rssi: Double?
    public var cqi: Int64?
    /// Mobile data go over this card.
    public var carriesData: Bool

    public init(
        slot: Int64, mcc: Int64? = nil, mnc: Int64? = nil, servingMCC: Int64? = nil, servingMNC: Int64? = nil,
        isRoaming: Bool? = nil, networkType: NetworkType, cellID: Int64? = nil, areaCode: Int64? = nil,
        pci: Int64? = nil, channel: Int64? = nil, rsrp: Double? = nil, rsrq: Double? = nil, sinr: Double? = nil,
        rssi: Double? = nil, cqi: Int64? = nil, carriesData: Bool
    ) {
        (self.slot, self.mcc, self.mnc) = (slot, mcc, mnc)
        (self.servingMCC, self.servingMNC, self.isRoaming) = (servingMCC, servingMNC, isRoaming)
        (self.networkType, self.cellID, self.areaCode) = (networkType, cellID, areaCode)
        (self.pci, self.channel, self.cqi) = (pci, channel, cqi)
        (self.rsrp, self.rsrq, self.sinr, self.rssi) = (rsrp, rsrq, sinr, rssi)
        self.carriesData = carriesData
    }
}

/// Where the phone is.
public struct PlaceReading: Sendable, Equatable {
    public enum Source: String, Sendable { case gps, network, cell }

    /// Degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    public var accuracyMetres: Double
    public var source: Source
    public var speedMetresPerSecond: Double?
    /// An app sets the place.
    public var isMocked: Bool

    public init(
        latitude: Double, longitude: Double, accuracyMetres: Double, source: Source,
        speedMetresPerSecond: Double? = nil, isMocked: Bool = false
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.source = source
        self.speedMetresPerSecond = speedMetresPerSecond
        self.isMocked = isMocked
    }
}

/// What a test of the connection brought. What was not measured is nil.
public struct SpeedReading: Sendable, Equatable {
    public var downloadKbps: Int64?
    public var uploadKbps: Int64?
    /// Milliseconds.
    public var latency: Double?
    public var jitter: Double?
    public var lossPercent: Double?
    /// The shortest round trip while nothing else was sent, and the median beside the download; milliseconds.
    public var leastRoundTrip: Double?
    public var loadedRoundTrip: Double?
    /// `ndt7`, `echo` or `other`.
    public var method: String
    /// Of the whole test; nil where it is not known.
    public var milliseconds: Int64?
    /// What the test took from the data plan.
    public var bytes: Int

    public init(
        downloadKbps: Int64? = nil, uploadKbps: Int64? = nil, latency: Double? = nil, jitter: Double? = nil,
        lossPercent: Double? = nil, leastRoundTrip: Double? = nil, loadedRoundTrip: Double? = nil,
        method: String = "other", milliseconds: Int64? = nil, bytes: Int
    ) {
        self.leastRoundTrip = leastRoundTrip
        self.loadedRoundTrip = loadedRoundTrip
        self.method = method
        self.milliseconds = milliseconds
        self.downloadKbps = downloadKbps
        self.uploadKbps = uploadKbps
        self.latency = latency
        self.jitter = jitter
        self.lossPercent = lossPercent
        self.bytes = bytes
    }
}

/// What the kit wants to know at one moment.
public struct SampleRequest: Sendable, Equatable {
    /// How exactly the place is wanted; nil: not at all, as the person does not allow it.
    public var isPlacePrecise: Bool?
    /// Most bytes that a test of the connection may take; 0: no test.
    public var testBytes: Int

    public init(isPlacePrecise: Bool?, testBytes: Int) {
        self.isPlacePrecise = isPlacePrecise
        self.testBytes = testBytes
    }
}

/// What the phone saw at one moment.
public struct Sample: Sendable, Equatable {
    public var sims: [SIMReading]
    public var place: PlaceReading?
    public var speed: SpeedReading?

    public init(sims: [SIMReading], place: PlaceReading?, speed: SpeedReading? = nil) {
        self.sims = sims
        self.place = place
        self.speed = speed
    }
}
