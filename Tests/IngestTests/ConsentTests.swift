import IngestUploads
import Models
import QoE
import Testing
import Wire

@Suite struct ConsentTests {
    private let row = """
        {"seq":1,"captured_at_ms":5,"latitude":3.8480123,"longitude":11.5021,"accuracy_m":8,"location_source":"gps","speed_mps":3,
         "event":"call_drop","latency_ms":20}
        """

    @Test func `without measurement everything is refused`() {
        #expect(throws: DeviceAPIError.self) { try Reading.upload(row, consent: [.locationPrecise, .callEvents]) }
        do {
            _ = try Reading.upload(row, consent: [])
        } catch {
            #expect((error as? DeviceAPIError)?.status == 403)
        }
    }

    @Test func `precise consent keeps the position`() throws {
        let upload = try Reading.upload(row, consent: [.measurement, .locationPrecise, .callEvents])
        #expect(upload.value(ColumnID.latitude) == 38_480_123)
        #expect(!upload.flags.contains(.consentReduced))
    }

    @Test func `coarse consent keeps the cell of level 13`() throws {
        let upload = try Reading.upload(row, consent: [.measurement, .locationCoarse, .callEvents])
        let latitude = try #require(upload.value(ColumnID.latitude)),
            longitude = try #require(upload.value(ColumnID.longitude))
        #expect(latitude != 38_480_123 && longitude != 115_021_000)
        #expect(
            Quadkey(latitude: latitude, longitude: longitude, level: 13)
                == Quadkey(latitude: 38_480_123, longitude: 115_021_000, level: 13))
        #expect(try #require(upload.value(ColumnID.accuracy)) > 40_000)
        #expect(upload.flags.contains(.consentReduced))
        let other = try Reading.upload(
            row.replacing("3.8480123", with: "3.8480999"), consent: [.measurement, .locationCoarse, .callEvents])
        #expect(
            other.value(ColumnID.latitude) == latitude
                && other.value(ColumnID.accuracy) == upload.value(ColumnID.accuracy))
    }

    @Test func `without location consent there is no position`() throws {
        let upload = try Reading.upload(row, consent: [.measurement, .callEvents])
        for column in [
            ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.locationSource, ColumnID.speed,
        ] {
            #expect(upload.columns[column] == nil)
        }
        #expect(upload.value(ColumnID.latency) == 200 && upload.isUrgent)
    }

    @Test func `without call events only emergencies remain`() throws {
        let consent: Consent = [.measurement, .locationPrecise]
        let upload = try Reading.upload(row, consent: consent)
        #expect(upload.value(ColumnID.event) == nil && !upload.isUrgent)
        let emergency = try Reading.upload(row.replacing("call_drop", with: "emergency"), consent: consent)
        #expect(emergency.value(ColumnID.event) == NetworkEvent.emergency.rawValue && emergency.isUrgent)
        #expect(!emergency.flags.contains(.consentReduced))
    }

    @Test(arguments: [
        (Consent.rewards, RowFlags.notForRewards), (.operatorSharing, .notForOperators), (.research, .notForResearch),
    ])
    func `rows say what they may not be used for`(purpose: Consent, flag: RowFlags) throws {
        #expect(try Reading.upload(row, consent: .all).value(ColumnID.flags) == nil)
        #expect(try Reading.upload(row, consent: .all.subtracting(purpose)).flags == flag)
    }
}
