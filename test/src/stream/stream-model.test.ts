// Compares clients of /stream on real sockets with the model. They connect, leave and connect again while random
// captures are committed, some with late records and gaps.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { readCapture } from '../../model/capture.ts'
import { ModelStore } from '../../model/model.ts'
import { NO_TOKENS } from '../../support/server.ts'
import { expectAsModel } from '../../support/stream/expect-stream.ts'
import { ServedStream, type StreamReader } from '../../support/stream/served-stream.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { CONDITION, RandomCapture, TICKERS } from '../../workers/load/random-capture.ts'

const MARKETS = [...TICKERS.map((market) => ['kalshi', market] as const), ['polymarket', CONDITION] as const]
const QUERY = `markets=${MARKETS.map(([venue, market]) => `${venue}:${market}`)}&channels=records,trades,quotes,book`

/** A client that follows all markets, however often it has to connect. */
class Listener {
  readonly #clients = new Map(MARKETS.map(([, market]) => [market, new StreamClient()]))
  readonly #served: ServedStream
  #reader: StreamReader | undefined
  #position = ''

  constructor(served: ServedStream) {
    this.#served = served
  }

  async connect(random: Random): Promise<void> {
    await this.leave()
    const after = this.#position === '' ? '' : `&after=${this.#position}`
    const kind = random.pick(['socket', 'events', 'last event'])
    if (kind === 'socket') this.#reader = this.#served.webSocket(`${QUERY}${after}`)
    else if (kind === 'events') this.#reader = await this.#served.events(`${QUERY}${after}`)
    else this.#reader = await this.#served.events(QUERY, { 'last-event-id': this.#position })
  }

  async leave(): Promise<void> {
    await this.#reader?.close()
    this.#reader = undefined
  }

  async take(): Promise<void> {
    const message = await this.#reader!.next()
    const { venue: _, market, position, ...channelMessage } = message
    this.#position = position
    this.#clients.get(market)!.apply(channelMessage)
  }

  /** Receives messages until it knows the same as the model. */
  async takeAll(model: ModelStore): Promise<void> {
    for (const [venue, market] of MARKETS) {
      const client = this.#clients.get(market)!
      while (differs(() => expectAsModel(client, model, venue, market))) await this.take()
    }
  }
}

function differs(expecting: () => void): boolean {
  try {
    expecting()
    return false
  } catch {
    return true
  }
}

test.each([11, 12, 13])(
  'clients that come and go know what the model says, seed %i',
  async (seed) => {
    const random = new Random(seed, 'stream')
    await using served = new ServedStream({ config: { ...NO_TOKENS, connectionsPerKeyMax: 9 } })
    const captures = [seed, seed + 1_000].map((each) => new RandomCapture(each, random.chance(0.5)))
    const model = new ModelStore()
    const commit = async (number: number, count: number) => {
      const lines = captures[random.chance(0.8) ? 0 : 1]!.lines(count)
      await served.store.loadLines(`${number}.ndjson`, lines)
      model.load(readCapture(`${number}`, lines.join('\n')), Date.now())
    }
    // Commits until all markets are known.
    let commits = 0
    while (MARKETS.some(([venue, market]) => model.partitions(venue, market).length === 0)) await commit(commits++, 20)
    const listeners = [1, 2, 3].map(() => new Listener(served))
    for (const listener of listeners) await listener.connect(random)
    for (const end = commits + 8; commits < end; commits++) {
      await commit(commits, random.between(2, 25))
      for (const listener of listeners) {
        // Leaves in the middle of its stream.
        if (random.chance(0.4)) {
          for (let i = random.below(3); i > 0; i--) await listener.take()
          await listener.connect(random)
        }
      }
      for (const listener of listeners) await listener.takeAll(model)
    }
    expect(commits).toBeGreaterThan(8)
  },
  60_000,
)
