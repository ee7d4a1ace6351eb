internal import Wire

/// The last blocks committed, consecutive, of limited size.
struct RecentBlocks: Sendable {
    let limit: Int
    private(set) var bytes = 0
    private var blocks: [Block] = []
    private var first = 0

    init(limit: Int) { self.limit = limit }

    /// Adds the next block and lets go of the oldest ones over the limit. The last one always stays.
    mutating func append(_ block: Block) {
        if let last = blocks.last, last.header.number + 1 != block.header.number { self = RecentBlocks(limit: limit) }
        blocks.append(block)
        bytes += block.size
        while bytes > limit, first < blocks.count - 1 { forgetFirst() }
        if first > 64 && first > blocks.count / 2 {
            blocks.removeFirst(first)
            first = 0
        }
    }

    /// Lets go of all blocks up to a number.
    mutating func forget(through number: UInt64) {
        while first < blocks.count, blocks[first].header.number <= number { forgetFirst() }
        if first == blocks.count { self = RecentBlocks(limit: limit) }
    }

    private mutating func forgetFirst() {
        bytes -= blocks[first].size
        blocks[first].payload = []
        first += 1
    }

    /// The block of a number, if it is here.
    subscript(number: UInt64) -> Block? {
        guard first < blocks.count, number >= blocks[first].header.number else { return nil }
        let place = first + Int(number - blocks[first].header.number)
        return place < blocks.count ? blocks[place] : nil
    }
}
