// A thread that places the messages of some markets, while another one takes the lines of the capture apart. What it
// reads lies in memory that both see; what it has collected it hands over at the end of the capture.

import { parentPort } from 'node:worker_threads'
import { DataError, type DataErrorCode } from '../../storage/failures.ts'
import type { Venue } from '../../storage/venue.ts'
import type { LateReject } from '../capture/capture-message.ts'
import type { MessageForm } from '../capture/message-form.ts'
import { replayDays } from '../partition/collected-partition.ts'
import { type LoggedForm, type LogOrigin, loggedForm, readMessages } from './message-log.ts'
import { type CollectedMarket, RecordPlacer } from './record-router.ts'

/** A market of this thread. The store has nothing of one that `isNew`: its days can be replayed here. */
export type PlacedMarket = { number: number; venue: Venue; market: string; isNew: boolean }

export type SentBatch = {
  type: 'batch'
  batch: number
  /** Shared: both must be left alone until the batch is done. */
  text: Uint8Array
  log: Int32Array
  logEnd: number
  origin: LogOrigin
  /** Forms from number `firstForm` on; any after these are forgotten. */
  firstForm: number
  forms: MessageForm[]
  markets: PlacedMarket[]
}

export type ToPlacer =
  | { type: 'begin'; folder: string; loadingMs: number; placers: number }
  | SentBatch
  | { type: 'collect' }

/** What a thread has of a capture. `file` is an open temporary one that blocks may lie in. */
export type CollectedPart = {
  type: 'collected'
  markets: CollectedMarket[]
  rejects: LateReject[]
  file: number | undefined
}

export type FromPlacer =
  | { type: 'done'; batch: number; rejects: LateReject[] }
  | CollectedPart
  | { type: 'failed'; message: string; code: DataErrorCode | null }

const port = parentPort!

class CapturePart {
  readonly #placer: RecordPlacer
  /** By the placer's own numbers, which count the markets of this thread alone. */
  readonly #markets: PlacedMarket[] = []
  readonly #numbers = new Map<number, number>()
  readonly #forms: LoggedForm[] = []
  #rejects: LateReject[] = []

  constructor({ folder, loadingMs, placers }: ToPlacer & { type: 'begin' }) {
    const onReject = (reject: LateReject) => {
      this.#rejects.push({ ...reject, market: this.#markets[reject.market]!.number })
    }
    this.#placer = new RecordPlacer({ folder, loadingMs, placers, onReject })
  }

  place({ batch, text, log, logEnd, origin, firstForm, forms, markets }: SentBatch): FromPlacer {
    this.#forms.length = firstForm
    this.#forms.push(...forms.map(loggedForm))
    for (const market of markets) {
      this.#numbers.set(market.number, this.#markets.length)
      this.#markets.push(market)
      this.#placer.addMarket(market.venue, market.market)
    }
    readMessages(log, logEnd, text, this.#forms, origin, (market, message) => {
      this.#placer.place(this.#numbers.get(market)!, message)
    })
    return { type: 'done', batch, rejects: this.#takeRejects() }
  }

  collect(): FromPlacer {
    const collected = this.#placer.collect()
    for (const { market, partitions } of collected) if (this.#markets[market]!.isNew) replayDays(partitions)
    const markets = collected.map(({ market, partitions }) => ({ market: this.#markets[market]!.number, partitions }))
    return { type: 'collected', markets, rejects: this.#takeRejects(), file: this.#placer.releaseFile() }
  }

  #takeRejects(): LateReject[] {
    const rejects = this.#rejects
    this.#rejects = []
    return rejects
  }
}

let part: CapturePart | undefined

function answerOf(message: ToPlacer): FromPlacer | undefined {
  if (message.type === 'batch') return part!.place(message)
  if (message.type === 'collect') {
    const collected = part!.collect()
    part = undefined
    return collected
  }
  part = new CapturePart(message)
  return undefined
}

/** An error's class would not survive the way. */
function failed(error: unknown): FromPlacer {
  if (error instanceof DataError) return { type: 'failed', message: error.message, code: error.code }
  return {
    type: 'failed',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    code: null,
  }
}

port.on('message', (message: ToPlacer) => {
  try {
    const answer = answerOf(message)
    if (answer !== undefined) port.postMessage(answer)
  } catch (error) {
    port.postMessage(failed(error))
  }
})
