// The connections that are open: how many there may be, and how they end when the server stops.

import { DataError } from '../../../storage/failures.ts'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import { RequestFailure } from '../server/request-failure.ts'

export type ConnectionLimits = {
  /** Connections at once. */
  all: number
  /** Connections at once that were opened with one key. */
  perKey: number
}

export type OpenConnection = { close(code: number, reason: string): void }

/** "Going away": the client may come again. */
export const GOING_AWAY = 1001

/** A place among the connections, until it is left. */
export type Place = { hold(connection: OpenConnection): void; leave(): void }

export class OpenConnections {
  readonly #limits: ConnectionLimits
  /** Those of a place that is taken and not open yet are null. */
  readonly #places = new Map<Place, OpenConnection | null>()
  readonly #ofKey = new Map<string, number>()
  #isStopping = false

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#places.size
  }

  /** Throws RequestFailure('connections_exceeded') and DataError('overloaded'). */
  enter(key: ActiveKey | null): Place {
    const id = key?.keyId ?? ''
    const ofKey = this.#ofKey.get(id) ?? 0
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
        if (!this.#places.has(place)) return
        this.#places.set(place, connection)
        if (this.#isStopping) connection.close(GOING_AWAY, STOPPING)
      },
      leave: () => this.#leave(place, id),
    }
    this.#places.set(place, null)
    this.#ofKey.set(id, ofKey + 1)
    return place
  }

  /** Takes no more, and closes all that are open. */
  stop(): void {
    this.#isStopping = true
    for (const connection of [...this.#places.values()]) connection?.close(GOING_AWAY, STOPPING)
  }

  #leave(place: Place, id: string): void {
    if (!this.#places.delete(place)) return
    const left = this.#ofKey.get(id)! - 1
    if (left === 0) this.#ofKey.delete(id)
    else this.#ofKey.set(id, left)
  }
}

const STOPPING = 'the server is stopping'
