package import ExporterScores
internal import ExporterSupport
internal import GRDB
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/scores`: networks judged by a profile, with all that went into it; and `GET /v1/score-profiles`.
package struct ScoreService: Sendable {
    /// Names of the parameters.
    static let parameters =
        ["profile"] + FigureSelection.parameters.filter { !["programme", "scope", "stratum"].contains($0) }
    /// At this level the cells of everywhere are told apart, to say how many of them have enough devices.
    static let coverLevel = 9

    let source: FigureSource
    let profiles: [ScoreProfile]

    package init(_ source: FigureSource, profiles: [ScoreProfile]) {
        self.source = source
        self.profiles = profiles
    }

    /// What was found of one network.
    private struct Found {
        var sums = MeasuredSums()
        var days: Set<Int64> = []
        var cells = 0
        var cellsWithEnough = 0
    }

    func respond(to request: Request, of tenant: Tenant, now: UnixMilliseconds) async throws -> Response {
        let scope = tenant.scope
        let parameters = try FigureSource.parameters(request, known: Self.parameters)
        let selection = try FigureSelection(
            parameters, source.networkProgrammes, source.regions, of: "scores of networks", now: now)
        let name = try parameters.choice("profile", of: profiles.map(\.id))
        guard let profile = name.flatMap({ name in profiles.first { $0.id == name } }) ?? profiles.first else {
            throw ExporterAPIError.notFound
        }
        let networks = try scope.narrowed(to: selection.cells.scope)
        let reader = source.reader(selection.cells, metric: 0, scope: scope, networks: networks)
        let answer = source.answer(now: now)
        let seconds = selection.cells.seconds, cover = source.cover
        let period = BucketCover.rounded(from: seconds.from, to: seconds.to)
        let buckets = cover.buckets(from: seconds.from, to: seconds.to)
        let annotations = answer.annotations(of: tenant, networks, from: period.from, to: period.to)
        let (found, noted) = try await source.cells.state.read { db in
            (try Self.find(db, reader, buckets, selection, cover), try annotations.list(db))
        }
        let days = cover.buckets(of: .day, from: period.from, to: period.to).count
        var shown = Set(found.keys)
        if case .only(let named, _) = networks { shown = Set(named.map(\.rawValue)) }
        var members = FigureAnswer.head(selection, from: period.from, to: period.to)
        members["profile"] = [
            "id": .string(profile.id), "version": .string(profile.version), "title": .string(profile.title),
            "source": .string(profile.source), "method": .string(profile.method.rawValue),
            "scale": [.number(profile.scale.lowerBound), .number(profile.scale.upperBound)],
        ]
        members["method"] = "cells-1"
        members["annotations"] = noted
        members["scores"] = .array(
            shown.sorted().map { number in
                Self.score(
                    PLMN(rawValue: number), found[number] ?? Found(), profile, selection.cells.programme, days: days)
            })
        return try answer.response(members, to: request)
    }

    /// The profiles as they were written.
    func profiles(to request: Request, now: UnixMilliseconds) throws -> Response {
        let documents = try profiles.map { try JSONValue(bytes: $0.document) }
        return try source.answer(now: now).response(
            [
                "profiles": .array(documents),
                "quality": [
                    "version": .integer(Int64(DataQuality.version)),
                    "levels": .array(
                        DataQuality.bars.map {
                            [
                                "level": .integer(Int64($0.level)), "devices": .integer($0.devices),
                                "effective_devices": .number($0.effectiveDevices), "days": .number($0.days),
                                "cells": .number($0.cells),
                            ]
                        }),
                ],
            ], to: request)
    }

    private static func find(
        _ db: Database, _ reader: CellReader, _ buckets: [Bucket], _ selection: FigureSelection, _ cover: BucketCover
    ) throws -> [Int64: Found] {
        var days: [Int64: Set<Int64>] = [:], dayStarts: [Int64: Int64] = [:]
        let sums: [Int64: MeasuredSums] = try reader.cells(db, of: buckets, in: selection.area) { bucket, _, scope in
            let day = dayStarts[bucket.start] ?? cover.dayStart(of: bucket.start)
            dayStarts[bucket.start] = day
            days[scope, default: []].insert(day)
            return scope
        }
        let area: CellArea =
            if case .everywhere = selection.place { .everyPlace(level: coverLevel) } else { selection.area }
        let places: [ScopedPlace: CellSenders] = try reader.cells(db, of: buckets, in: area) { _, place, scope in
            ScopedPlace(scope: scope, place: place)
        }
        var found: [Int64: Found] = [:]
        for (scope, sums) in sums { found[scope] = Found(sums: sums, days: days[scope] ?? []) }
        for (key, senders) in places {
            found[key.scope, default: Found()].cells += 1
            if senders.atLeast >= Senders.few { found[key.scope]!.cellsWithEnough += 1 }
        }
        return found
    }

    private struct ScopedPlace: Hashable {
        let scope: Int64
        let place: Quadkey
    }

    private static func score(
        _ network: PLMN, _ found: Found, _ profile: ScoreProfile, _ programme: Programme, days: Int
    ) -> JSONValue {
        let measurements = NetworkMeasurements(found.sums, programme)
        let score = Score(profile, measurements.measured)
        let used = Set(score.parts.flatMap(\.items).compactMap { $0.item.indicator?.metric })
        let fewest = measurements.fewest(of: used)
        let quality = DataQuality(
            devices: fewest.devices, effectiveDevices: fewest.effectiveDevices,
            days: days > 0 ? Double(found.days.count) / Double(days) : 0,
            cells: found.cells > 0 ? Double(found.cellsWithEnough) / Double(found.cells) : 0)
        return [
            "plmn": .string(FigureAnswer.name(of: network)), "score": score.value.map(FigureDocument.rounded) ?? .null,
            "parts": .array(score.parts.map { ScoreDocument.part($0, profile.method) }),
            "quality": [
                "level": .integer(Int64(quality.level)), "version": .integer(Int64(DataQuality.version)),
                "devices_at_least": .integer(quality.devices),
                "effective_devices": quality.effectiveDevices.map(FigureDocument.rounded) ?? .null,
                "days": FigureDocument.rounded(quality.days), "cells": FigureDocument.rounded(quality.cells),
            ],
        ]
    }
}
