// All subscribers of one query that have caught up: they get the same messages, encoded once.

import type { Channel } from '../../workers/follow/follow-request.ts'
import { EventConnection, eventText } from '../http/sockets/event-stream.ts'
import type { Socket } from '../http/sockets/socket.ts'
import { type FollowedPiece, messagesOf, type StreamMessage } from './followed-piece.ts'
import type { MarketFollower, MarketListener } from './market-follower.ts'
import { type Place, placeBytes, type StreamPositions } from './stream-position.ts'

type About = {
  channels: readonly Channel[]
  /** Followers of the query's markets, in the order of the markets. */
  followers: readonly MarketFollower[]
  positions: StreamPositions
  /** Bytes that may wait for a subscriber. */
  waitingBytesMax: number
  onSent: (messages: number) => void
  onSlow: () => void
}

/** Close codes "internal error" and "try again later". */
const [FAILED, SLOW] = [1011, 1013]

export class StreamGroup implements MarketListener {
  readonly channels: readonly Channel[]
  readonly followers: readonly MarketFollower[]
  readonly positions: StreamPositions
  readonly #about: About
  readonly #audience = new Set<Socket>()
  /** The followers' places in the streams of their markets, encoded; in the order of `followers`. */
  #places: Buffer[] = []

  constructor(about: About) {
    this.#about = about
    this.channels = about.channels
    this.followers = about.followers
    this.positions = about.positions
  }

  get size(): number {
    return this.#audience.size
  }

  /** Adds a subscriber that has received each market up to the follower's place. */
  join(socket: Socket): void {
    if (this.size === 0) this.#places = this.followers.map(({ place }) => placeBytes(place))
    this.#audience.add(socket)
  }

  leave(socket: Socket): void {
    this.#audience.delete(socket)
  }

  piece(follower: MarketFollower, piece: FollowedPiece): void {
    if (this.size === 0) return
    const index = this.followers.indexOf(follower)
    this.#dropSlow()
    const messages = messagesOf(piece, this.channels, (place) => this.#sealed(index, place))
    this.#send(messages)
    this.#about.onSent(messages.length)
    this.#places[index] = placeBytes(piece.to)
  }

  /** Disconnects all subscribers, because the next records cannot be read. */
  fail(error: unknown): void {
    const [first, ...others] = this.#audience
    // Only this call logs the error.
    first?.fail(error)
    for (const socket of others) socket.close(FAILED, 'the server failed')
  }

  #send(messages: readonly StreamMessage[]): void {
    let events: Uint8Array | undefined
    for (const socket of this.#audience) {
      if (socket instanceof EventConnection) {
        events ??= eventsOf(messages)
        socket.sendEvents(events)
      } else {
        socket.cork(() => {
          for (const { text, id } of messages) socket.send(text, id)
        })
      }
    }
  }

  #sealed(index: number, place: Place): string {
    return this.positions.seal(this.#places.with(index, placeBytes(place)))
  }

  /** Disconnects subscribers that read too slowly, before their messages fill the memory. The waiting messages still
   *  arrive. */
  #dropSlow(): void {
    const position = this.positions.seal(this.#places)
    for (const socket of this.#audience) {
      if (socket.waitingBytes() <= this.#about.waitingBytesMax) continue
      this.#audience.delete(socket)
      this.#about.onSlow()
      const detail = 'the client reads too slowly: connect again with after= this position'
      socket.send(JSON.stringify({ type: 'slow', position, detail }), position)
      socket.close(SLOW, 'too slow')
    }
  }
}

/** The bytes of the events, encoded once for all event streams. */
const eventsOf = (messages: readonly StreamMessage[]) =>
  new TextEncoder().encode(messages.map(({ text, id }) => eventText(text, id)).join(''))
