// Reads files of DBN version 3 by its published layout: github.com/databento/dbn, `rust/dbn/src/record.rs`.

const decoder = new TextDecoder()
const NO_PRICE = 2n ** 63n - 1n

export type DbnRecord = { length: number; type: number; instrumentId: number; tsEvent: bigint; view: DataView }

/** Throws where something is not as the layout has it. */
export function readDbn(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (decoder.decode(bytes.subarray(0, 3)) !== 'DBN' || bytes[3] !== 3) throw new Error('no DBN of version 3')
  const metadataBytes = view.getUint32(4, true)
  const text = (at: number, length: number) => decoder.decode(bytes.subarray(at, at + length)).replace(/\0+$/, '')
  let at = 8 + 100
  const counts = () => {
    const count = view.getUint32(at, true)
    at += 4
    return count
  }
  if (counts() !== 0) throw new Error('a definition of the schema')
  const lists = [0, 1, 2].map(() => {
    const names = Array.from({ length: counts() }, (_, i) => text(at + 71 * i, 71))
    at += 71 * names.length
    return names
  })
  const mappings = Array.from({ length: counts() }, () => {
    const symbol = text(at, 71)
    at += 71
    const intervals = Array.from({ length: counts() }, () => {
      const interval = [view.getUint32(at, true), view.getUint32(at + 4, true), text(at + 8, 71)]
      at += 79
      return interval
    })
    return { symbol, intervals }
  })
  const metadata = {
    dataset: text(8, 16),
    schema: view.getUint16(24, true),
    start: view.getBigUint64(26, true),
    end: view.getBigUint64(34, true),
    limit: view.getBigUint64(42, true),
    types: [bytes[50], bytes[51], bytes[52]],
    symbolBytes: view.getUint16(53, true),
    symbols: lists[0],
    mappings,
  }
  if (metadataBytes % 8 !== 0 || at > 8 + metadataBytes) throw new Error('the length of the metadata is wrong')
  const records: DbnRecord[] = []
  for (let start = 8 + metadataBytes; start < bytes.length; ) {
    const length = 4 * bytes[start]!
    const record = new DataView(bytes.buffer, bytes.byteOffset + start, length)
    const [type, instrumentId] = [record.getUint8(1), record.getUint32(4, true)]
    records.push({ length, type, instrumentId, tsEvent: record.getBigUint64(8, true), view: record })
    start += length
  }
  return { metadata, records }
}

export const candleOf = ({ view }: DbnRecord) => {
  const price = (at: number) => Number(view.getBigInt64(at, true)) / 1e9
  const [open, high, low, close] = [16, 24, 32, 40].map(price)
  return { open, high, low, close, volume: Number(view.getBigUint64(48, true)) / 1e6 }
}

export function mbpOf({ view }: DbnRecord) {
  const price = (at: number) => {
    const value = view.getBigInt64(at, true)
    return value === NO_PRICE ? null : Number(value) / 1e9
  }
  const side = (place: number): [number, number][] =>
    Array.from({ length: 10 }, (_, i) => 48 + 32 * i).flatMap((at) => {
      const levelPrice = price(at + 8 * place)
      return levelPrice === null ? [] : [[levelPrice, view.getUint32(at + 16 + 4 * place, true) / 100]]
    })
  return {
    price: price(16),
    size: view.getUint32(24, true) / 100,
    action: String.fromCharCode(view.getUint8(28)),
    side: String.fromCharCode(view.getUint8(29)),
    flags: view.getUint8(30),
    depth: view.getUint8(31),
    record: view.getUint32(44, true),
    bids: side(0),
    asks: side(1),
  }
}
