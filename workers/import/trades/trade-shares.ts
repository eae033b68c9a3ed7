// Trades of an archive, whose files have them in any order, by market and time: the loader takes records in the order
// in which they come. A file is read once for each share of its markets, and the trades of a share are held in memory:
// so it may be of any size, and all trades of one market reach the loader together.

import { collectGarbage, type MemoryLimit } from '../../collect-garbage.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveOptions, ArchivePart, PartSums } from '../archive.ts'
import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'

export type Trade = {
  /** As the store names it. */
  market: string
  timeUs: number
  /** Number of its row, for what is told of it. */
  row: number
  /** The message of the venue, as a text or as what one is printed of: most are of another share. */
  message: string | Record<string, unknown>
}

/** Reads the trades of a file, each time from its beginning. A trade that comes twice, where pages overlap, is one. */
export type TradeSource = {
  /** About how many bytes the messages have together. */
  messageBytes: number
  /** Throws ArchiveFault. */
  read(
    take: (trade: Trade) => void,
    reject: (row: number, reason: string, source: string) => void,
    onProgress: (fileBytes: number) => void,
  ): Promise<void>
}

const SHARE_BYTES = 48 << 20
/** Rows of other shares are read and let go again and again. */
const HOLDING: MemoryLimit = { residentBytes: 192 << 20, timeShare: 4 }

/** A part is a share of the markets; its place is `share:shares`. */
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
  // What is no trade has no market, and is told of once.
  const reject = (row: number, reason: string, text: string) => {
    if (share > 0) return
    rows++
    lines.reject(row, reason, encoder.encode(text))
  }
  await source.read(take, reject, (fileBytes) => {
    onProgress(fileBytes)
    collectGarbage(HOLDING)
  })
  const again = held.tell(options, lines)
  held.release()
  return { rows, skipped: again > 0 ? { 'trades read before': again } : {} }
}

/** FNV-1a. */
function shareOf(market: string, shares: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < market.length; i++) hash = Math.imul(hash ^ market.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % shares
}

const encoder = new TextEncoder()
const CHUNK_BYTES = 4 << 20

/** Trades of some markets: their messages lie in chunks, one behind the other. */
class HeldTrades {
  readonly #markets = new Map<string, number[]>()
  readonly #timesUs: number[] = []
  readonly #rows: number[] = []
  readonly #chunks: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #bytes: Uint8Array[] = []
  #length = CHUNK_BYTES
  /** Chunks that may be written into: to let them go and make others takes as much memory again. */
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

  /** Nothing of it is needed any more. */
  release(): void {
    this.#spare.push(...this.#bytes.filter(({ length }) => length === CHUNK_BYTES))
  }

  /** Market by market in the order of their times; trades of one time in that of the file. Returns how many came
   *  before. */
  tell({ onMarket }: ArchiveOptions, lines: RowReader): number {
    let again = 0
    for (const [market, places] of this.#markets) {
      onMarket(market)
      places.sort((one, other) => this.#timesUs[one]! - this.#timesUs[other]! || one - other)
      let toldUs = Number.NaN
      const told = new Set<string>()
      for (const place of places) {
        const timeUs = this.#timesUs[place]!
        if (timeUs !== toldUs) told.clear()
        toldUs = timeUs
        const bytes = this.#bytes[this.#chunks[place]!]!
        if (!isNew(told, bytes.subarray(this.#starts[place], this.#ends[place]))) {
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

function isNew(told: Set<string>, message: Uint8Array): boolean {
  const text = decoder.decode(message)
  if (told.has(text)) return false
  told.add(text)
  return true
}
