internal import Models
internal import QoE

extension MemberWriter {
    /// What a SIM card sees; not its speed, which belongs to the card that carries data.
    mutating func add(_ sim: ChosenSIM) {
        let reading = sim.reading
        add("network_type", reading.networkType.name)
        add("mcc", reading.mcc)
        add("mnc", reading.mnc)
        add("serving_mcc", reading.servingMCC)
        add("serving_mnc", reading.servingMNC)
        if reading.mcc != nil { add("plmn_source", sim.isManual ? "manual" : "sim") }
        add("sim_slot", reading.slot)
        add("roaming", reading.isRoaming)
        add("cell_id", reading.cellID)
        add("area_code", reading.areaCode)
        add("pci", reading.pci)
        add("channel", reading.channel)
        add("rsrp_dbm", reading.rsrp, scale: 10)
        add("rsrq_db", reading.rsrq, scale: 10)
        add("sinr_db", reading.sinr, scale: 10)
        add("rssi_dbm", reading.rssi, scale: 10)
        add("cqi", reading.cqi)
    }

    /// Where the phone is, as exactly as the person allows.
    mutating func add(_ place: PlaceReading?, _ consent: ConsentChoice) {
        guard let place, let isPrecise = consent.isPlacePrecise else { return }
        if isPrecise {
            add("latitude", place.latitude, scale: 1e7)
            add("longitude", place.longitude, scale: 1e7)
            add("accuracy_m", place.accuracyMetres, scale: 10)
            add("location_source", place.source.rawValue)
            add("speed_mps", place.speedMetresPerSecond, scale: 100)
        } else if let cell = CoarseCell(of: place) {
            add("latitude", cell.latitude, scale: 1e7)
            add("longitude", cell.longitude, scale: 1e7)
            add("accuracy_m", cell.accuracyMetres, scale: 10)
            add("location_source", place.source.rawValue)
        }
        if place.isMocked { add("mock_location", true) }
    }

    mutating func add(_ speed: SpeedReading?) {
        guard let speed else { return }
        add("download_kbps", speed.downloadKbps)
        add("upload_kbps", speed.uploadKbps)
        add("latency_ms", speed.latency, scale: 10)
        add("jitter_ms", speed.jitter, scale: 10)
        add("loss_pct", speed.lossPercent, scale: 100)
        add("test_method", speed.method)
        add("test_bytes", Int64(speed.bytes))
        add("test_duration_ms", speed.milliseconds)
        add("test_min_rtt_ms", speed.leastRoundTrip, scale: 10)
        add("test_loaded_rtt_ms", speed.loadedRoundTrip, scale: 10)
    }
}

/// The middle of the cell of level 13 (about 4.9 km) that a place lies in: all that leaves the phone without consent to more.
struct CoarseCell {
    static let level = 13
    let latitude: Double
    let longitude: Double
    /// As wide as the cell, so that no map shows it as a place.
    let accuracyMetres: Double

    /// Nil beyond ±85.05°, and where the place is none.
    init?(of place: PlaceReading) {
        guard place.latitude.magnitude <= 90, place.longitude.magnitude <= 180,
            let cell = Quadkey(
                latitude: Int64((place.latitude * 1e7).rounded()), longitude: Int64((place.longitude * 1e7).rounded()),
                level: Self.level)
        else { return nil }
        let bounds = cell.bounds
        latitude = (bounds.south + bounds.north) / 2
        longitude = (bounds.west + bounds.east) / 2
        let width = Quadkey.width(level: Self.level, latitude: Int64((latitude * 1e7).rounded()))
        accuracyMetres = max((width * 10).rounded(.up) / 10, place.accuracyMetres)
    }
}
