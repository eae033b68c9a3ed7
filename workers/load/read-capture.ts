// Reads one capture: parses its lines and collects the records of as many markets as fit into memory, then the
// records of the other markets. It does not use the store, so any thread can run it.

import { closeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { DataError } from '../../storage/failures.ts'
import type { BookTimes, SequenceHole } from '../../storage/format/partition-head.ts'
import { utcDate } from '../../storage/units.ts'
import { bookTimesBy } from '../book-times/book-times.ts'
import { CaptureFeed } from '../capture/capture-feed.ts'
import { readCaptureLines, withoutByteOrderMark } from '../capture/capture-lines.ts'
import { decompressCapture, isOpenSegment } from '../capture/decompress-capture.ts'
import { formOfLine } from '../capture/line-parser.ts'
import { type Reject, RejectFile } from '../capture/reject-file.ts'
import { CutOff } from '../capture/zstd-frames.ts'
import { collectGarbage, LOADING } from '../collect-garbage.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { planDays } from '../partition/plan-days.ts'
import { CaptureFacts } from '../venues/capture-facts.ts'
import { NoPriceScale, ReadAs } from '../venues/no-prices.ts'
import { RefusedCapture } from '../venues/refused-capture.ts'
import type { CaptureEnd, CapturePart, ReadOptions, RowReader } from './capture-reading.ts'
import type { MarketBundle } from './market-spill.ts'
import { PartSink } from './part-sink.ts'

const REJECTS_REPORTED_MAX = 20
const DOCUMENT_NAME = /\.json(?:\.gz|\.zst)?$/
const DOCUMENT_BYTES_MAX = 256 << 20
const NO_BYTES = new Uint8Array(0)

/** Reads a capture and waits for `offer` before the next part. The receiver of a part closes its files. Throws
 *  DataError; a fault of the capture is in the result. */
export async function readCapture(
  options: ReadOptions,
  offer: (part: CapturePart) => Promise<void>,
): Promise<CaptureEnd> {
  const reading = new CaptureReading(options)
  try {
    while (reading.hasMore) await offer(await reading.nextPart())
    return reading.end()
  } finally {
    reading.close()
  }
}

class CaptureReading {
  readonly #options: ReadOptions
  #rejectFile: RejectFile
  #rejects: Reject[] = []
  #lines = 0
  /** Number of rejected messages that were counted as messages before. */
  #rejectedLate = 0
  #error: string | null = null
  #isCutOff = false
  #isRefused = false
  #feed: CaptureFeed | undefined
  /** The line being parsed and its place, in case it is rejected. */
  #line = 0
  #bytes: Uint8Array = NO_BYTES
  #start = 0
  #end = 0
  #sink: PartSink | undefined
  #facts = new CaptureFacts()
  /** Bundles that did not fit into earlier parts, and their temporary files. */
  #spilled: MarketBundle[] = []
  readonly #files: number[] = []

  constructor(options: ReadOptions) {
    this.#options = options
    this.#rejectFile = new RejectFile(options.folder, options.path)
  }

  get hasMore(): boolean {
    return this.#feed === undefined || this.#spilled.length > 0
  }

  async nextPart(): Promise<CapturePart> {
    this.#openSink()
    if (this.#feed === undefined) await this.#readFile(NoPriceScale.of(this.#options.noPrices))
    else await this.#readBundles(this.#sink!)
    const sink = this.#sink!
    if (this.#isRefused) return { partitions: [], files: sink.releaseFiles() }
    const { bundles, file } = sink.spilled()
    this.#spilled.unshift(...bundles)
    if (file !== undefined) this.#files.push(file)
    const markets = sink.collect()
    for (const partition of markets.flat()) {
      partition.heard = this.#bookTimesOf(partition)
      partition.sequenceHoles = this.#holesOf(partition)
    }
    await this.#planNewMarkets(markets)
    return { partitions: markets.flat(), files: sink.releaseFiles() }
  }

  /** Returns the sequence holes of a partition: the holes that a printed export states, and the holes found in the
   *  sequence numbers. Omits the found holes for a recorder's segment, which has a gap record for each. */
  #holesOf({ key, source, sequenceHoles }: CollectedPartition): SequenceHole[] {
    const { recorder, printed } = this.#feed!
    const found = recorder !== undefined ? [] : sequenceHoles
    const printedHoles = printed.holes.filter((each) => {
      return each.market === key.market && utcDate(each.hole.fromMs) === key.date && each.source === source
    })
    return [...found, ...printedHoles.map(({ hole }) => hole)]
  }

  #bookTimesOf({ key, source, heard }: CollectedPartition): BookTimes[] {
    const { recorder, printed } = this.#feed!
    const printedBookTimes = printed.heard.filter((each) => {
      return each.market === key.market && each.date === key.date && each.source === source
    })
    return [...bookTimesBy(recorder, heard), ...printedBookTimes.map((each) => each.heard)]
  }

  end(): CaptureEnd {
    const { documents, counts, audits } = this.#feed!
    return {
      lines: this.#lines,
      ...counts,
      messages: counts.messages - this.#rejectedLate,
      isCutOff: this.#isCutOff,
      audits: this.#isRefused ? [] : audits,
      rejects: this.#rejects,
      rejectFile: this.#rejectFile.isUsed ? this.#rejectFile.path : null,
      error: this.#error,
      metadata: this.#isRefused ? [] : documents.take(),
    }
  }

  /** Closes the files. Call it after reading, even if reading failed. */
  close(): void {
    for (const file of [...this.#files, ...(this.#sink?.releaseFiles() ?? [])]) closeSync(file)
    this.#rejectFile.close()
  }

  #openSink(): void {
    const onReject = (line: number, reason: string, bytes: Uint8Array) => {
      this.#feed!.counts.rejected++
      this.#rejectedLate++
      this.#reject(line, reason, bytes)
    }
    this.#sink = new PartSink({ ...this.#options, onReject, facts: this.#facts })
  }

  /** Reads the file again with another scale of NO prices, and discards all that was read. */
  async #readAgain(scale: NoPriceScale): Promise<void> {
    for (const file of this.#sink!.releaseFiles()) closeSync(file)
    this.#facts = new CaptureFacts()
    this.#openSink()
    this.#rejectFile.close()
    this.#rejectFile = new RejectFile(this.#options.folder, this.#options.path)
    this.#rejects = []
    this.#rejectedLate = 0
    this.#error = null
    await this.#readFile(scale)
  }

  async #readFile(scale: NoPriceScale): Promise<void> {
    const onReject = (reason: string, message?: Uint8Array) => {
      this.#reject(this.#line, reason, message ?? this.#bytes.subarray(this.#start, this.#end))
    }
    const { source, markets } = this.#options
    const feed = new CaptureFeed(this.#sink!, onReject, source, scale, this.#facts, markets)
    this.#feed = feed
    try {
      const { path, writeLines } = this.#options
      const isRead = writeLines === undefined && DOCUMENT_NAME.test(path) && (await this.#readDocument(feed))
      if (!isRead) await this.#readLines(feed)
      feed.end()
      // The clock of a recorder's segment may be wrong, but is in UTC.
      if (feed.recorder === undefined) this.#sink!.checkZone()
    } catch (error) {
      const isFile = this.#options.writeLines === undefined
      if (error instanceof ReadAs && isFile) return this.#readAgain(new NoPriceScale(error.scale, false))
      if (!(error instanceof RefusedCapture)) throw error
      this.#isRefused = true
      this.#error = `${this.#options.path} is not loaded: ${error.message}`
    }
    // Release the last piece of text.
    this.#setBytes(NO_BYTES)
  }

  /** Reads as many bundles as there is room for, at least one. */
  async #readBundles(sink: PartSink): Promise<void> {
    // Let the event loop run: only then the store's library frees memory, and no other code here yields.
    await setImmediate()
    let marketCount = 0
    do {
      const bundle = this.#spilled.shift()!
      for (const _ of bundle.send(sink, marketCount)) collectGarbage(LOADING)
      marketCount += bundle.marketCount
    } while (marketCount + (this.#spilled[0]?.marketCount ?? Number.POSITIVE_INFINITY) <= this.#options.marketsAtOnce)
  }

  async #readLines(feed: CaptureFeed): Promise<void> {
    const { path, onProgress, writeLines, source } = this.#options
    const reader: RowReader = {
      line: (bytes: Uint8Array, start: number, end: number, number: number) => {
        this.#line = number
        this.#bytes = bytes
        this.#start = start
        this.#end = end
        feed.line(bytes, start, end, number)
      },
      longLine: (head: Uint8Array, bytesMax: number, number: number) => {
        this.#line = number
        this.#setBytes(head)
        feed.reject(`the line is longer than ${bytesMax} bytes; its first ${head.length} are stored`)
      },
      end: (lineCount: number) => {
        this.#lines = lineCount
      },
      reject: (row: number, reason: string, source: Uint8Array) => {
        this.#line = row
        this.#setBytes(source)
        feed.reject(reason)
      },
      formOf: (line) => formOfLine(line, source),
      values: (form, bytes, match, receivedMs, number) => feed.values(form, bytes, match, receivedMs, number),
    }
    if (writeLines !== undefined) return writeLines(reader)
    try {
      await readCaptureLines(path, reader, (fileBytes) => {
        onProgress({ fileBytes, records: feed.counts.messages })
        // Nothing else here releases memory if few bytes inflate to much text without a message.
        collectGarbage(LOADING)
      })
    } catch (error) {
      // A full disk is not a fault of the capture. A refused capture is refused as a whole.
      if (error instanceof DataError || error instanceof RefusedCapture) throw error
      this.#isCutOff = error instanceof CutOff && isOpenSegment(path)
      if (!this.#isCutOff) this.#error = `Cannot read ${path} beyond line ${this.#line}: ${(error as Error).message}`
    }
  }

  // Reads a file that is one JSON document, such as a saved REST answer. Returns false if the file is not one document;
  // it may still consist of lines.
  async #readDocument(feed: CaptureFeed): Promise<boolean> {
    const chunks: Uint8Array[] = []
    let bytes: Uint8Array
    try {
      let length = 0
      await decompressCapture(this.#options.path, (chunk) => {
        length += chunk.length
        if (length > DOCUMENT_BYTES_MAX) throw new RangeError('too long for a document')
        chunks.push(chunk.slice())
      })
      bytes = withoutByteOrderMark(new Uint8Array(Buffer.concat(chunks)))
      JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    } catch {
      return false
    }
    this.#line = 1
    this.#setBytes(bytes)
    feed.document(bytes)
    this.#lines = 1
    return true
  }

  #reject(line: number, reason: string, bytes: Uint8Array): void {
    const rejects = this.#rejects
    // A message that waited for a time is rejected late. Report the first rejects by line.
    const place = rejects.findLastIndex((reject) => reject.line <= line) + 1
    if (place < REJECTS_REPORTED_MAX) rejects.splice(place, 0, { file: this.#options.path, line, reason })
    rejects.length = Math.min(rejects.length, REJECTS_REPORTED_MAX)
    this.#rejectFile.add(line, reason, bytes)
  }

  #setBytes(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#start = 0
    this.#end = bytes.length
  }

  async #planNewMarkets(markets: CollectedPartition[][]): Promise<void> {
    const { areNew } = this.#options
    if (areNew === undefined || markets.length === 0) return
    const isNew = await areNew(markets.map(([day]) => ({ venue: day!.key.venue, market: day!.key.market })))
    markets.forEach((days, index) => {
      if (isNew[index]) planDays(days)
      collectGarbage(LOADING)
    })
  }
}
