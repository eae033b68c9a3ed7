// A connection whose sockets, disk and clock a test controls. Its protocol consists of words.

import { ConnectPacer } from '../../../src/record/connection/attempts.ts'
import { Connection } from '../../../src/record/connection/connection.ts'
import type { FrameStamp, Link, VenueProtocol } from '../../../src/record/connection/venue-protocol.ts'
import type { OpenSocket, SocketEvents } from '../../../src/record/connection/web-socket.ts'
import type { Segment } from '../../../src/record/segments/segment-files.ts'
import { VenueStats } from '../../../src/record/status/recorder-stats.ts'
import { FakeTime } from '../venues/fake-time.ts'

export const START_MS = Date.UTC(2026, 8, 1, 12)

/** A protocol of words: `book A h1` is a snapshot, `A h2` a change, `hole A` a loss, `bad` is not understood,
 *  `untimed A h2` has no time. */
class WordProtocol implements VenueProtocol {
  readonly venue = 'polymarket'
  readonly booksMax = 100
  readonly useYesPrice = null
  readonly heartbeat = 'PING'
  readonly bookSource = null
  readonly requests: string[] = []
  isAway = false

  handshake() {
    return { url: 'wss://venue.example/ws?key=secret', headers: {} }
  }

  isPlannedOutage() {
    return this.isAway
  }

  open(link: Link) {
    const { requests } = this
    return {
      add: (books: readonly string[]) => void requests.push(`${link.connectionId} add ${books.join(' ')}`),
      remove: (books: readonly string[]) => void requests.push(`${link.connectionId} remove ${books.join(' ')}`),
      snapshotsMissing: (books: readonly string[]) =>
        void requests.push(`${link.connectionId} missing ${books.join(' ')}`),
      due: () => Number.POSITIVE_INFINITY,
      beginBook: () => false,
      readBook: () => true,
      close: () => undefined,
      read: (text: string, { sentMs }: FrameStamp) => {
        const [first, book = '', hash = ''] = text.replace('untimed ', '').split(' ')
        if (first === 'bad') throw new SyntaxError('bad')
        if (first === 'aside') return link.aside()
        link.data(text.startsWith('untimed') ? Number.NaN : sentMs)
        if (first === 'book') link.snapshot(book, { market: '0x1', by: 'snapshot', hash })
        else if (first === 'hole')
          link.lost([book], { reason: 'sequence_hole', scope: 'subscription', expected: 2, got: 4 })
        else link.changed(first!, '0x1', book)
      },
    }
  }
}

type FakeSocket = { events: SocketEvents; sent: string[]; isClosed: boolean; isTerminated: boolean }

export function connectionScene(
  options: { endsWithVenue?: boolean; rotateMs?: number; silenceMs?: number; broadBooks?: number } = {},
) {
  const time = new FakeTime(START_MS)
  const protocol = new WordProtocol()
  const sockets: FakeSocket[] = []
  const lines: string[] = []
  const disk = { isFull: false }
  const openSocket: OpenSocket = (_handshake, _protocols, events) => {
    const socket: FakeSocket = { events, sent: [], isClosed: false, isTerminated: false }
    sockets.push(socket)
    return {
      send: (text) => socket.sent.push(text) > 0,
      ping: () => socket.sent.push('ping frame'),
      close: () => {
        socket.isClosed = true
      },
      terminate: () => {
        socket.isTerminated = true
      },
    }
  }
  const openSegment = ({ connection }: { connection: string }): Segment => {
    if (disk.isFull) throw new Error('the disk is full')
    let waiting: string[] = []
    const line = (text: string) => void waiting.push(`${connection}: ${text}`)
    const flush = () => {
      if (disk.isFull) throw new Error('the disk is full')
      lines.push(...waiting)
      waiting = []
    }
    return {
      name: connection,
      get pendingLength() {
        return waiting.length
      },
      frame: (text) => line(text),
      rest: (body) => line(`rest ${body}`),
      gap: ({ assetId, msg }) =>
        line(`gap ${assetId} ${msg.reason} ${msg.from - START_MS}..${msg.to - START_MS} ${msg.closed_by}`),
      audit: () => undefined,
      control: (kind, fields) => (kind === 'overflow' ? line(`overflow ${fields['dropped']}`) : undefined),
      drop: () => {
        const dropped = { frame: waiting.length, rest: 0, gap: 0 }
        waiting = []
        return dropped
      },
      abandon: () => ({ frame: 0, rest: 0, gap: 0 }),
      isDue: () => false,
      flush,
      close: () => {
        line('end')
        try {
          flush()
        } catch (error) {
          waiting.pop()
          throw error
        }
      },
    }
  }
  const stats = new VenueStats()
  const logged: Record<string, unknown>[] = []
  const connection = new Connection({
    id: 'c',
    protocol,
    openSocket,
    openSegment,
    clock: time.clock,
    timers: time.timers,
    random: () => 0.5,
    limits: {
      pingMs: 10_000,
      pongMs: 5_000,
      silenceMs: options.silenceMs ?? null,
      broadBooks: options.broadBooks ?? 1,
      rotateMs: options.rotateMs ?? null,
      ...{ backoffFromMs: 1_000, backoffToMs: 60_000, reconnectJitterMs: 750 },
      snapshotMs: 8_000,
    },
    pacer: new ConnectPacer(100),
    stats,
    endsWithVenue: options.endsWithVenue ?? false,
    events: {
      refused: () => undefined,
      opened: () => undefined,
      handshakeRefused: ({ status }) => logged.push({ message: 'the handshake is refused', status }),
      warn: (fields, message) => logged.push({ message, ...fields }),
    },
  })
  return {
    time,
    protocol,
    sockets,
    lines,
    disk,
    stats,
    connection,
    logged,
    /** Returns the lines since the last call. */
    written() {
      connection.flush()
      return lines.splice(0)
    },
    /** Opens the newest socket, which gives each book a snapshot. */
    async opened(...frames: string[]) {
      await time.advance(0)
      const { events } = sockets.at(-1)!
      events.opened('')
      for (const frame of frames) events.text(frame)
    },
    /** Advances the clock by seconds, and calls the connection's `look` each second. */
    async seconds(count: number) {
      for (let i = 0; i < count; i++) {
        await time.advance(1_000)
        connection.check()
      }
    },
  }
}

/** The end of a socket without a close frame. */
export const END = { code: 1006, reason: '', status: null, retryAfter: null }
