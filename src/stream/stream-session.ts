// One subscriber. It first catches up at its own pace, market by market, until it has reached the places of all
// followers. Then it joins the group, whose members all get the same messages.

import assert from 'node:assert/strict'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DataError, type DataErrorCode } from '../../storage/failures.ts'
import type { FollowPosition } from '../../workers/follow/follow-request.ts'
import type { Workers } from '../../workers/requests.ts'
import { MessageRate, TOO_MANY } from '../http/sockets/message-rate.ts'
import type { Socket, SocketSession } from '../http/sockets/socket.ts'
import { askPiece, messagesOf } from './followed-piece.ts'
import type { MarketFollower } from './market-follower.ts'
import type { StreamGroup } from './stream-group.ts'
import { type Place, placeBytes } from './stream-position.ts'

export type Means = {
  catalogue: Pick<Catalogue, 'revision'>
  workers: Pick<Workers, 'ask'>
  /** Resolves after a pause before the next attempt. */
  pause(): Promise<void>
}

type About = {
  group: StreamGroup
  /** Place at which each market continues, in the order of the group's followers. */
  places: Place[]
  means: Means
  onSent: (messages: number) => void
  onClose: () => void
}

/** Temporary failures. */
const PASSING: readonly DataErrorCode[] = ['overloaded', 'work_lost', 'store_unavailable', 'blocks_unavailable']
export const isPassing = (error: unknown): boolean => error instanceof DataError && PASSING.includes(error.code)

export class StreamSession implements SocketSession {
  readonly #about: About
  readonly #rate = new MessageRate(() => performance.now())
  #socket: Socket | undefined
  /** For each market: the revision up to which this subscriber has received everything; undefined while stored
   *  messages still have to be sent. */
  readonly #readTo: (number | undefined)[] = []
  #hasRoom = Promise.withResolvers<void>()

  constructor(about: About) {
    this.#about = about
  }

  open(socket: Socket): void {
    this.#socket = socket
    void this.#begin(socket).catch((error: unknown) => socket.fail(error))
  }

  /** Answers PING, with which clients check the connection. */
  message(data: string | Uint8Array): void {
    if (this.#rate.take(data) !== 'answered') this.#socket?.close(...TOO_MANY)
    else if (data === 'PING') this.#socket?.send('PONG')
  }

  drain(): void {
    this.#hasRoom.resolve()
  }

  close(): void {
    const socket = this.#socket
    this.#socket = undefined
    this.#hasRoom.resolve()
    if (socket !== undefined) this.#about.group.leave(socket)
    this.#about.onClose()
  }

  async #begin(socket: Socket): Promise<void> {
    const { group } = this.#about
    do {
      for (const index of group.followers.keys()) await this.#catchUp(index)
      if (this.#socket === undefined) return
    } while (!group.followers.every(({ place }, i) => isSame(this.#about.places[i]!, place)))
    group.join(socket)
  }

  /** Sends a market up to the place of its follower. */
  async #catchUp(index: number): Promise<void> {
    const { group, places, means } = this.#about
    const follower = group.followers[index]!
    while (this.#socket !== undefined && !isSame(places[index]!, follower.place)) {
      try {
        // The subscriber and the follower have the same place when both have read the same revision to its end. If
        // the subscriber has read a newer revision than the follower, the follower must catch up.
        if ((this.#readTo[index] ?? -1) > follower.revision) await follower.advance()
        else await this.#sendPiece(follower, index)
      } catch (error) {
        if (!isPassing(error)) throw error
        await means.pause()
      }
    }
  }

  async #sendPiece(follower: MarketFollower, index: number): Promise<void> {
    const { group, places, means, onSent } = this.#about
    const { channels, positions } = group
    const piece = await askPiece(means.workers, { ...follower.of, channels, from: places[index]! })
    const socket = this.#socket
    if (socket === undefined) return
    const entries = places.map(placeBytes)
    const messages = messagesOf(piece, channels, (place) => positions.seal(entries.with(index, placeBytes(place))))
    places[index] = piece.to
    this.#readTo[index] = piece.isEnd ? piece.revision : undefined
    assert(
      !piece.isEnd || piece.revision !== follower.revision || isSame(piece.to, follower.place),
      'a stream and its follower end at different places',
    )
    this.#hasRoom = Promise.withResolvers()
    const isTaken = socket.cork(() => {
      for (const { text, id } of messages) socket.send(text, id)
    })
    onSent(messages.length)
    if (!isTaken) await this.#hasRoom.promise
  }
}

/** Whether both places are the same. Null, a stream that has not begun, is the same as no other place. */
function isSame(place: Place, other: Place): boolean {
  if (place === null || other === null) return false
  if (place === 'nothing' || other === 'nothing') return place === other
  const fields: (keyof FollowPosition)[] = ['date', 'record', 'step', 'revision', 'earlier']
  return fields.every((field) => place[field] === other[field])
}
