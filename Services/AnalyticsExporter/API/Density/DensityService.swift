internal import ExporterStores
package import ExporterSupport
internal import GRDB
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import NIOCore
internal import Releases
internal import ServiceKit

/// `POST /population-density-data/vwip/retrieve`: how many people are where, by the hour, in the shape of CAMARA's Population Density Data. Of
/// released atoms only: whoever asks learns nothing that no release says.
package struct DensityService: Sendable {
    static let path = "/population-density-data/vwip/retrieve"
    /// Atoms behind one answer.
    private static let mostAtoms = 500_000
    /// A release by the hour has one device of so many.
    private static let share = 4.0
    private static let hour: UnixMilliseconds = 3_600_000

    let source: FigureSource
    let permits: Permits
    /// Names of tenants who are answered beside regulators.
    let tenants: Set<String>
    /// How many people one device stands for.
    let peoplePerDevice: Int
    /// What is covered; nil: everything.
    private let coverage: CellArea?

    package init(_ source: FigureSource, permits: Permits, tenants: Set<String>, peoplePerDevice: Int) {
        self.source = source
        self.permits = permits
        self.tenants = tenants
        self.peoplePerDevice = peoplePerDevice
        let cells = Set(source.regions.regions.filter { $0.kind == "region" }.flatMap(\.cells))
        coverage = cells.isEmpty ? nil : CellArea(cells)
    }

    func respond(to request: Request, of tenant: Tenant, now: UnixMilliseconds) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, tenant, now)
        } catch let fault as DensityFault { response = try fault.response }
        if let name = HTTPField.Name("x-correlator"), let value = request.headers[name], Self.isCorrelator(value) {
            response.headers[name] = value
        }
        return response
    }

    private func answer(_ request: Request, _ tenant: Tenant, _ now: UnixMilliseconds) async throws -> Response {
        guard tenant.isRegulator || tenants.contains(tenant.name) else {
            throw DensityFault(
                .permissionDenied, nil, "for regulators, and for tenants that NKUL_DENSITY_TENANTS names")
        }
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: DensityRequest.mostBytes) } catch is NIOTooManyBytesError {
            throw ExporterAPIError(.contentTooLarge, "too_large", "expected at most \(DensityRequest.mostBytes) bytes")
        }
        let query = try DensityRequest(Array(body.readableBytesView), now: now)
        let seat = try permits.seat()
        defer { withExtendedLifetime(seat) {} }
        let isCovered = query.area.cells.map(covers)
        var members: [String: JSONValue] = [
            "status": .string(
                !isCovered.contains(true)
                    ? "AREA_NOT_SUPPORTED"
                    : isCovered.contains(false) ? "PART_OF_AREA_NOT_SUPPORTED" : "SUPPORTED_AREA"),
            "statusInfo": .string(info), "timedPopulationDensityData": [],
        ]
        if isCovered.contains(true) {
            members["timedPopulationDensityData"] = .array(try await hours(of: query, isCovered))
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-cache"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: JSONValue.object(members)))))
    }

    /// Each hour is read by itself, so that no answer holds the database for long.
    private func hours(of query: DensityRequest, _ isCovered: [Bool]) async throws -> [JSONValue] {
        let thread = ReadingThread("density")
        var atomsLeft = Self.mostAtoms, hours: [JSONValue] = []
        for start in query.hours {
            let atoms = try await source.cells.state.read { [atomsLeft] in try released(start, atMost: atomsLeft, $0) }
            atomsLeft -= atoms?.reduce(0) { $0 + $1.count } ?? 0
            let cells = try await thread.run {
                let hour = atoms.map(DensityHour.init)
                return zip(query.area.cells, isCovered).map { cell, isCovered in
                    Self.value(of: cell, isCovered ? hour : nil, peoplePerDevice: peoplePerDevice)
                }
            }
            hours.append([
                "startTime": .string(SystemTime.text(start)), "endTime": .string(SystemTime.text(start + Self.hour)),
                "cellPopulationDensityData": .array(cells),
            ])
        }
        return hours
    }

    /// What was released of an hour, by networks; nil where nothing was made of it yet, or ever will be.
    private func released(_ start: UnixMilliseconds, atMost: Int, _ db: Database) throws -> [[ReleasedAtom]]? {
        let kind = ReleaseClass.provisional.name
        guard try ReleaseStore.rounds(kind, in: start..<start + Self.hour, db) == .made else { return nil }
        let releases = try ReleaseStore.list(kind, nil, starts: start..<start + 1, after: nil, limit: 1_000, db)
        var networks: [[ReleasedAtom]] = [], atomsLeft = atMost
        for release in releases {
            let head = release.head
            // Bands of another profile mean something else.
            guard head.profile == ReleaseRules.profile, head.programme == source.networkProgrammes.first?.name,
                let found = try ReleaseStore.find(head.id, db),
                let metric = try ReleaseStore.commonestMetric(of: found.number, db)
            else { continue }
            let atoms = try ReleaseStore.atoms(of: found.number, metric: metric, db) { _ in true }
            atomsLeft -= atoms.count
            guard atomsLeft >= 0 else {
                throw DensityFault(
                    .unsupportedRequest, "endTime",
                    "more than \(Self.mostAtoms) released cells would have to be read: ask for a shorter time")
            }
            networks.append(atoms)
        }
        return networks
    }

    private static func value(of cell: Geohash, _ hour: DensityHour?, peoplePerDevice: Int) -> JSONValue {
        guard let hour else { return ["geohash": .string(cell.text), "dataType": "NO_DATA"] }
        guard let density = hour.density(in: cell) else {
            return ["geohash": .string(cell.text), "dataType": "LOW_DENSITY"]
        }
        let people = { (devices: Double) -> JSONValue in
            .integer(Int64(min(devices * share * Double(peoplePerDevice), Double(Int32.max)).rounded()))
        }
        return [
            "geohash": .string(cell.text), "dataType": "DENSITY_ESTIMATION", "minPplDensity": people(density.low),
            "maxPplDensity": people(density.high), "pplDensity": people(density.middle),
        ]
    }

    /// By the middle of a cell.
    private func covers(_ cell: Geohash) -> Bool {
        guard let coverage else { return true }
        let (south, west, north, east) = cell.bounds
        let place = Quadkey(
            latitude: Int64((south + north) / 2 * 1e7), longitude: Int64((west + east) / 2 * 1e7))
        return place.map(coverage.contains) ?? false
    }

    private var info: String {
        """
        Per km2, from released counts of contributing devices: one of \(Int(Self.share)) is in a release by the hour, and each stands for \
        \(peoplePerDevice) \(peoplePerDevice == 1 ? "person" : "people"). Minimum and maximum are the ends of the bands in which counts are \
        released. LOW_DENSITY: fewer than k devices near the cell. NO_DATA: not covered, or nothing was released of the hour.
        """
    }

    /// By CAMARA: up to 256 of some characters.
    private static func isCorrelator(_ value: String) -> Bool {
        (1...256).contains(value.utf8.count)
            && value.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "-_:;./<>{}".contains($0) }
    }
}
