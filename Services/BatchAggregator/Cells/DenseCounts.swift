import Models

/// How many rows each of many devices has, at the place of its number: adding to it needs no merge. Keeps its memory.
///
///     dense   5 │ bytes of a number: 1, 2 or 4 │ varint of the first device │ the rows of it and of each number after it, little-endian
///
/// A number without rows is no device. The fewest bytes that hold the most rows of a device are used, so the bytes follow from the
/// counts alone.
struct DenseCounts {
    static let form: UInt8 = 5
    /// Fewer devices are listed.
    private static let fewest = 256
    /// Numbers from the first to the last for each device, at most.
    private static let spread = 3

    private var first: UInt32 = 0
    private var rows: [UInt32] = []
    /// Devices.
    private(set) var count = 0
    /// The most rows of a device, four times, descending.
    private(set) var largest: [UInt32] = [0, 0, 0, 0]
    /// Σ rows² of all devices.
    private(set) var squares: Int64 = 0

    /// Whether so many devices are to be kept this way.
    private static func suits(devices: Int, first: UInt32, last: UInt32) -> Bool {
        devices >= fewest && Int(last - first) < spread * devices
    }

    /// Makes this the counts, of rows alone; false if they are to be listed.
    mutating func take(_ counts: DeviceCounts) -> Bool {
        guard !counts.areApart, let first = counts.entries.first?.device, let last = counts.entries.last?.device,
            Self.suits(devices: counts.count, first: first, last: last)
        else { return false }
        self.first = first
        rows.removeAll(keepingCapacity: true)
        rows.append(contentsOf: repeatElement(0, count: Int(last - first) + 1))
        for entry in counts.entries { rows[Int(entry.device - first)] = UInt32(entry.count) }
        measure()
        return true
    }

    /// Makes this what bytes say; false if they are none.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        rows.removeAll(keepingCapacity: true)
        guard bytes.count > 2, bytes[0] == Self.form, let start = bytes.bindMemory(to: UInt8.self).baseAddress else {
            return false
        }
        let end = start + bytes.count, width = Int(bytes[1])
        var pointer = start + 2
        guard let first = Varint.read(at: &pointer, end: end).flatMap({ UInt32(exactly: $0) }),
            [1, 2, 4].contains(width), (end - pointer) % width == 0, pointer < end,
            UInt64(first) + UInt64((end - pointer) / width) <= UInt64(UInt32.max) + 1
        else { return false }
        self.first = first
        let body = UnsafeRawBufferPointer(start: pointer, count: end - pointer)
        switch width {
        case 1: widen(body, UInt8.self)
        case 2: widen(body, UInt16.self)
        default: widen(body, UInt32.self)
        }
        return true
    }

    private mutating func widen<Number: FixedWidthInteger & UnsignedInteger>(
        _ bytes: UnsafeRawBufferPointer, _ type: Number.Type
    ) {
        let size = MemoryLayout<Number>.size, count = bytes.count / size
        rows.append(contentsOf: repeatElement(0, count: count))
        rows.withUnsafeMutableBufferPointer { rows in
            for index in 0..<count {
                rows[index] = UInt32(
                    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* size, as: Number.self)))
            }
        }
    }

    /// Adds the rows of other counts; false, and nothing is added, if the devices lie too far apart then.
    mutating func add(_ other: DeviceCounts) -> Bool {
        guard let low = other.entries.first?.device, let high = other.entries.last?.device else {
            measure()
            return true
        }
        let first = min(first, low), last = max(self.first + UInt32(rows.count - 1), high)
        guard Self.suits(devices: rows.count + other.count, first: first, last: last) else { return false }
        if last - self.first >= rows.count {
            rows.append(contentsOf: repeatElement(0, count: Int(last - self.first) + 1 - rows.count))
        }
        if first < self.first {
            rows.insert(contentsOf: repeatElement(0, count: Int(self.first - first)), at: 0)
            self.first = first
        }
        for entry in other.entries where entry.isOfRows {
            rows[Int(entry.device - first)] += UInt32(entry.count)
        }
        measure()
        return true
    }

    /// Takes the rows of other counts away; false if there are fewer.
    mutating func subtract(_ other: DeviceCounts) -> Bool {
        for entry in other.entries where entry.isOfRows {
            guard entry.device >= first, entry.device - first < rows.count else { return false }
            let place = Int(entry.device - first)
            guard entry.count <= rows[place] else { return false }
            rows[place] -= UInt32(entry.count)
        }
        trim()
        measure()
        return true
    }

    /// Begins and ends with a device.
    private mutating func trim() {
        rows.removeLast(rows.reversed().prefix { $0 == 0 }.count)
        let leading = rows.prefix { $0 == 0 }.count
        rows.removeFirst(leading)
        first += UInt32(leading)
    }

    /// Whether it is to be kept this way still.
    var isDense: Bool {
        !rows.isEmpty && Self.suits(devices: count, first: first, last: first + UInt32(rows.count - 1))
    }

    /// Makes counts these.
    func list(into counts: inout DeviceCounts) {
        counts.begin(areApart: false)
        for (place, rows) in rows.enumerated() where rows > 0 {
            counts.append(DeviceCounts.Entry(device: first + UInt32(place), slot: 0, count: Int64(rows)))
        }
        counts.finish()
    }

    /// Counts devices, and looks how unevenly they share the rows.
    private mutating func measure() {
        (count, squares) = (0, 0)
        var largest: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        rows.withUnsafeBufferPointer { rows in
            var start = 0
            while start < rows.count {
                let end = min(start &+ 64, rows.count)
                var devices: UInt32 = 0, most: UInt32 = 0, sum: UInt64 = 0
                for index in start..<end {
                    let number = rows[index]
                    devices &+= number > 0 ? 1 : 0
                    most = max(most, number)
                    sum &+= UInt64(number) &* UInt64(number)
                }
                count &+= Int(devices)
                squares &+= Int64(bitPattern: sum)
                if most > largest.3 { for index in start..<end { Self.insert(rows[index], into: &largest) } }
                start = end
            }
        }
        self.largest = [largest.0, largest.1, largest.2, largest.3]
    }

    @inline(__always)
    private static func insert(_ number: UInt32, into largest: inout (UInt32, UInt32, UInt32, UInt32)) {
        guard number > largest.3 else { return }
        if number > largest.0 {
            largest = (number, largest.0, largest.1, largest.2)
        } else if number > largest.1 {
            largest = (largest.0, number, largest.1, largest.2)
        } else if number > largest.2 {
            largest = (largest.0, largest.1, number, largest.2)
        } else {
            largest.3 = number
        }
    }

    /// Adds the bytes to others.
    func write(to bytes: inout [UInt8]) {
        let most = largest[0]
        let width = most <= UInt8.max ? 1 : most <= UInt16.max ? 2 : 4
        bytes.append(Self.form)
        bytes.append(UInt8(width))
        Varint.append(UInt64(first), to: &bytes)
        switch width {
        case 1: narrow(UInt8.self, to: &bytes)
        case 2: narrow(UInt16.self, to: &bytes)
        default: narrow(UInt32.self, to: &bytes)
        }
    }

    private func narrow<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type, to bytes: inout [UInt8]) {
        let size = MemoryLayout<Number>.size, start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: rows.count * size))
        bytes.withUnsafeMutableBytes { bytes in
            let body = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            rows.withUnsafeBufferPointer { rows in
                for index in 0..<rows.count {
                    body.storeBytes(
                        of: Number(truncatingIfNeeded: rows[index]).littleEndian, toByteOffset: index &* size,
                        as: Number.self)
                }
            }
        }
    }
}
