// Appends bytes to a buffer that grows.

export class ByteWriter {
  bytes: Uint8Array
  /** The same bytes, for callers that write whole words. */
  view: DataView
  length = 0

  constructor(capacity: number) {
    this.bytes = newBytes(capacity)
    this.view = new DataView(this.bytes.buffer)
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, needed))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
    this.view = new DataView(grown.buffer)
  }

  writeByte(byte: number): void {
    this.reserve(1)
    this.bytes[this.length++] = byte
  }

  write(source: Uint8Array): void {
    this.writeSlice(source, 0, source.length)
  }

  writeSlice(source: Uint8Array, start: number, end: number): void {
    const count = end - start
    this.reserve(count)
    const { bytes, length } = this
    if (count > 64) bytes.set(count === source.length ? source : source.subarray(start, end), length)
    else for (let i = 0; i < count; i++) bytes[length + i] = source[start + i]!
    this.length = length + count
  }

  /** Returns the written bytes and empties the writer. If the buffer is mostly full, returns the buffer itself, because
   *  copying it costs more than allocating a new one. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length)
    this.length = 0
    if (2 * taken.length < this.bytes.length) return taken.slice()
    this.bytes = newBytes(this.bytes.length)
    this.view = new DataView(this.bytes.buffer)
    return taken
  }
}

/** Returns bytes that are not set to zero, because no byte is read before it is written. */
const newBytes = (length: number): Uint8Array => new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
