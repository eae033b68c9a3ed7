// Sorts an archive's trades by market and time, because the loader takes records in order and files have trades in any
// order. Reads a file once for each share of its markets, and holds the trades of one share in memory. So a file may
// have any size, and all trades of a market reach the loader together.

import { collectGarbage, type MemoryLimit } from '../../collect-garbage.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveOptions, ArchivePart, PartSums } from '../archive.ts'
import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'

export type Trade = {
  /** Market as the store names it. */
  market: string
  timeUs: number
  /** Row number, for reports. */
  row: number
  /** Message of the venue, as text or as an object. An object becomes text only if the trade belongs to the share in
   *  progress. */
  message: string | Record<string, unknown>
}

/** Reads the trades of a file, each time from its start. A trade that occurs twice, where pages overlap, counts
 *  once. */
export type TradeSource = {
  /** Approximate bytes of all messages. */
  messageBytes: number
  /** Throws ArchiveFault. */
  read(
    take: (trade: Trade) => void,
    reject: (row: number, reason: string, source: string) => void,
    onProgress: (fileBytes: number) => void,
  ): Promise<void>
}

const SHARE_BYTES = 48 << 20
/** Memory limit while rows of other shares are read and dropped repeatedly. */
const HOLDING: MemoryLimit = { residentBytes: 192 << 20, timeShare: 4 }

/** Yields one part for each share of the markets. `next` is `share:shares`. */
export async function* tradeParts(
  file: ByteFile,
  options: ArchiveOptions,
  source: TradeSource,
  shareBytes = SHARE_BYTES,
): AsyncGenerator<ArchivePart> {
  const shares = Math.max(1, Math.ceil(source.messageBytes / shareBytes))
  const spare: Uint8Array[] = []
  for (let share = firstShare(file, options, shares); share < shares; share++) {
    yield {
      next: share + 1 === shares ? null : `${share + 1}:${shares}`,
      read: (lines, onProgress) =>
        readShare(options, source, { share, shares, spare }, lines, (fileBytes) =>
          onProgress((share * file.byteLength + fileBytes) / shares),
        ),
    }
  }
}

function firstShare(file: ByteFile, { after }: ArchiveOptions, shares: number): number {
  const [share, of] = (after ?? `0:${shares}`).split(':').map(Number)
  if (of !== shares) throw new ArchiveFault(file.name, 'has changed since a part of it was imported')
  return share!
}

async function readShare(
  options: ArchiveOptions,
  source: TradeSource,
  { share, shares, spare }: { share: number; shares: number; spare: Uint8Array[] },
  lines: RowReader,
  onProgress: (fileBytes: number) => void,
): Promise<PartSums> {
  const held = new HeldTrades(spare)
  const isOfShare = new Map<string, boolean>()
  let rows = 0
  const take = (trade: Trade) => {
    let isWanted = isOfShare.get(trade.market)
    if (isWanted === undefined) {
      isWanted = shareOf(trade.market, shares) === share && options.markets?.has(trade.market) !== false
      isOfShare.set(trade.market, isWanted)
    }
    if (!isWanted) return
    rows++
    held.add(trade)
  }
  // An invalid row has no market. It is reported once, with the first share.
  const reject = (row: number, reason: string, text: string) => {
    if (share > 0) return
    rows++
    lines.reject(row, reason, encoder.encode(text))
  }
  await source.read(take, reject, (fileBytes) => {
    onProgress(fileBytes)
    collectGarbage(HOLDING)
  })
  const again = held.writeTrades(options, lines)
  held.release()
  return { rows, skipped: again > 0 ? { 'trades read before': again } : {} }
}

/** Returns the share of a market, by FNV-1a. */
function shareOf(market: string, shares: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < market.length; i++) hash = Math.imul(hash ^ market.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % shares
}

const encoder = new TextEncoder()
const CHUNK_BYTES = 4 << 20

/** Trades of one share of the markets. Their messages are stored in chunks, one after the other. */
class HeldTrades {
  readonly #markets = new Map<string, number[]>()
  readonly #timesUs: number[] = []
  readonly #rows: number[] = []
  readonly #chunks: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #bytes: Uint8Array[] = []
  #length = CHUNK_BYTES
  /** Chunks to reuse: releasing them and allocating others would need as much memory again. */
  readonly #spare: Uint8Array[]

  constructor(spare: Uint8Array[]) {
    this.#spare = spare
  }

  add({ market, timeUs, row, message }: Trade): void {
    const places = this.#markets.get(market)
    if (places === undefined) this.#markets.set(market, [this.#rows.length])
    else places.push(this.#rows.length)
    this.#timesUs.push(timeUs)
    this.#rows.push(row)
    const msg = typeof message === 'string' ? message : JSON.stringify(message)
    const line = `{"type":"trade","ticker":${JSON.stringify(market)},"msg":${msg}}`
    if (this.#length + 3 * line.length > CHUNK_BYTES) {
      const spare = 3 * line.length <= CHUNK_BYTES ? this.#spare.pop() : undefined
      this.#bytes.push(spare ?? new Uint8Array(Math.max(CHUNK_BYTES, 3 * line.length)))
      this.#length = 0
    }
    const { written } = encoder.encodeInto(line, this.#bytes.at(-1)!.subarray(this.#length))
    this.#chunks.push(this.#bytes.length - 1)
    this.#starts.push(this.#length)
    this.#length += written
    this.#ends.push(this.#length)
  }

  /** Releases its chunks for reuse. */
  release(): void {
    this.#spare.push(...this.#bytes.filter(({ length }) => length === CHUNK_BYTES))
  }

  /** Writes the trades market by market, by time; trades of one time keep file order. Returns the number of repeated
   *  trades. */
  writeTrades({ onMarket }: ArchiveOptions, lines: RowReader): number {
    let again = 0
    for (const [market, places] of this.#markets) {
      onMarket(market)
      places.sort((one, other) => this.#timesUs[one]! - this.#timesUs[other]! || one - other)
      let writtenUs = Number.NaN
      const written = new Set<string>()
      for (const place of places) {
        const timeUs = this.#timesUs[place]!
        if (timeUs !== writtenUs) written.clear()
        writtenUs = timeUs
        const bytes = this.#bytes[this.#chunks[place]!]!
        if (!isNew(written, bytes.subarray(this.#starts[place], this.#ends[place]))) {
          again++
          continue
        }
        lines.line(bytes, this.#starts[place]!, this.#ends[place]!, this.#rows[place]!)
      }
    }
    return again
  }
}

const decoder = new TextDecoder()

function isNew(written: Set<string>, message: Uint8Array): boolean {
  const text = decoder.decode(message)
  if (written.has(text)) return false
  written.add(text)
  return true
}
