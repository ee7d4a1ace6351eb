/// One frame of a multi-part message.
public typealias Frame = [UInt8]
