// A replay of records of many markets of both venues in one order, as WebSocket messages or server-sent events.

import type { VenueMarket } from '../http/parameters/venue-markets.ts'
import { MessageRate, TOO_MANY } from '../http/sockets/message-rate.ts'
import type { Socket, SocketSession } from '../http/sockets/socket.ts'
import type { MarketRecords } from './market-records.ts'
import { Player, type PlayerParts, type Protocol } from './player.ts'

/** The place at which a client of server-sent events continues: `count` records with the time `timeMs` were sent. */
export type Resumed = { timeMs: number; count: number }

type RecordsParts = Omit<PlayerParts, 'text' | 'settleMs' | 'left'> & {
  markets: readonly VenueMarket[]
  resumed: Resumed | null
}

export class RecordsSession implements SocketSession, Protocol {
  readonly heartbeat = null
  readonly #markets: readonly VenueMarket[]
  readonly #player: Player
  readonly #rate: MessageRate
  #socket: Socket | undefined
  readonly #heads = new Map<MarketRecords, string>()
  #timeMs = -1
  #count = 0
  #toSkip: Resumed

  constructor({ markets, resumed, ...parts }: RecordsParts) {
    this.#markets = markets
    this.#toSkip = resumed ?? { timeMs: -1, count: 0 }
    const fromMs = resumed === null ? parts.window.fromMs : Math.max(parts.window.fromMs, resumed.timeMs - 1)
    const window = { ...parts.window, fromMs }
    this.#player = new Player({ ...parts, window, settleMs: 0, text: 'record', left: null }, this)
    this.#rate = new MessageRate(() => parts.timers.nowMs())
  }

  open(socket: Socket): void {
    this.#socket = socket
    this.#player.open(socket)
    this.#player.hold()
    for (const market of this.#markets) {
      const head = `{"venue":"${market.venue}","market":${JSON.stringify(market.market)},`
      this.#heads.set(this.#player.add(market), head)
    }
    this.#player.release()
  }

  message(data: string | Uint8Array): void {
    if (this.#rate.take(data) !== 'answered') this.#socket?.close(...TOO_MANY)
    else if (data === 'PING') this.#player.send('PONG')
  }

  drain(): void {
    this.#player.drain()
  }

  close(): void {
    this.#player.close()
  }

  deliver(records: MarketRecords): void {
    const { timeMs } = records
    this.#count = timeMs === this.#timeMs ? this.#count + 1 : 1
    this.#timeMs = timeMs
    if (timeMs === this.#toSkip.timeMs && this.#count <= this.#toSkip.count) return
    this.#player.send(`${this.#heads.get(records)}${records.text().slice(1)}`, `${timeMs}.${this.#count}`)
  }

  /** Returns false: a gap is sent like any other record. */
  isDisconnect(): boolean {
    return false
  }

  disconnected(): void {}
}
