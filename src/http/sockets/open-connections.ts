// Limits the open connections. Closes a connection when its key ends, and all connections when the server stops.

import { DataError } from '../../../storage/failures.ts'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import { RequestFailure } from '../server/request-failure.ts'

export type ConnectionLimits = {
  /** Limit of all open connections. */
  all: number
  /** Limit of the open connections of one key. */
  perKey: number
}

export type OpenConnection = { close(code: number, reason: string): void }

/** The close code "going away": the client may reconnect. */
export const GOING_AWAY = 1001

/** The close code "policy violation": the client may not reconnect with this key. */
const FORBIDDEN = 1008
const CHECK_EVERY_MS = 1_000

/** `connection` is null while the place is taken but the connection is not yet open. */
type Held = { readonly key: ActiveKey | null; connection: OpenConnection | null }

/** One of the limited places for connections. It is taken until `leave` is called. */
export type Place = { hold(connection: OpenConnection): void; leave(): void }

export class OpenConnections {
  readonly #limits: ConnectionLimits
  readonly #isActive: (key: ActiveKey) => Promise<boolean>
  readonly #places = new Map<Place, Held>()
  readonly #ofKey = new Map<string, Set<Place>>()
  #isStopping = false
  #timer: Timer | undefined
  #checking: Promise<void> | undefined

  /** `isActive` returns whether a key is neither revoked nor expired, and still has the same secret. */
  constructor(limits: ConnectionLimits, isActive: (key: ActiveKey) => Promise<boolean>) {
    this.#limits = limits
    this.#isActive = isActive
  }

  get count(): number {
    return this.#places.size
  }

  /** Takes a place for a connection of this key. Throws RequestFailure('connections_exceeded') and
   *  DataError('overloaded'). */
  enter(key: ActiveKey | null): Place {
    const id = key?.keyId ?? NO_KEY
    const ofKey = this.#ofKey.get(id)?.size ?? 0
    if (this.#isStopping) throw new DataError('overloaded', 'The server is stopping')
    if (this.#places.size >= this.#limits.all) {
      throw new DataError('overloaded', `The server has ${this.#limits.all} connections open, and takes no more`)
    }
    if (key !== null && ofKey >= this.#limits.perKey) {
      const message = `An API key may have ${this.#limits.perKey} connections open at once: close one of them first`
      throw new RequestFailure('connections_exceeded', message)
    }
    const place: Place = {
      hold: (connection) => {
        const held = this.#places.get(place)
        if (held === undefined) return
        held.connection = connection
        if (this.#isStopping) connection.close(GOING_AWAY, STOPPING)
      },
      leave: () => this.#leave(place, id),
    }
    this.#places.set(place, { key, connection: null })
    this.#ofKey.set(id, (this.#ofKey.get(id) ?? new Set()).add(place))
    this.#timer ??= setInterval(() => void this.checkKeys(), CHECK_EVERY_MS).unref()
    return place
  }

  /** Closes connections whose key has ended since they were opened. Called every second. */
  checkKeys(): Promise<void> {
    this.#checking ??= this.#endThoseOfEndedKeys().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #endThoseOfEndedKeys(): Promise<void> {
    // Groups by secret, because a rotated key appears here with several secrets.
    const bySecret = Map.groupBy([...this.#places.values()], ({ key }) => key?.secretSha256)
    for (const held of bySecret.values()) {
      const { key } = held[0]!
      if (key === null || (await this.#isActive(key))) continue
      for (const { connection } of held) connection?.close(FORBIDDEN, KEY_ENDED)
    }
  }

  /** Accepts no more connections, and closes all open ones. */
  stop(): void {
    this.#isStopping = true
    for (const { connection } of [...this.#places.values()]) connection?.close(GOING_AWAY, STOPPING)
  }

  #leave(place: Place, id: string): void {
    if (!this.#places.delete(place)) return
    const left = this.#ofKey.get(id)!
    left.delete(place)
    if (left.size === 0) this.#ofKey.delete(id)
    if (this.#places.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const NO_KEY = ''
const KEY_ENDED = 'the API key was revoked, was rotated, or has expired'
const STOPPING = 'the server is stopping'
