internal import Crypto
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/regions`: the regions and towns that figures can be asked for by name.
package struct RegionService: Sendable {
    let table: RegionTable
    private let text: [UInt8]
    private let tag: String

    package init(_ table: RegionTable) {
        self.table = table
        let value: JSONValue = [
            "source": .string(table.source),
            "regions": .array(
                table.regions.map { region in
                    [
                        "id": .string(region.id), "kind": .string(region.kind), "english": .string(region.english),
                        "french": .string(region.french), "boundary": .string(region.boundary),
                        "cells": .array(region.cells.map { .string($0.text) }),
                    ]
                }),
        ]
        text = Array(value.text.utf8)
        tag = "\"\(Hexadecimal.text(Array(SHA256.hash(data: text).prefix(12))))\""
    }

    func respond(to request: Request) throws -> Response {
        try CellAnswer.response(text, "application/json", tag: tag, completeTo: nil, to: request)
    }
}
