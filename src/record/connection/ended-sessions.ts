// Sockets that have ended and whose segments the disk did not take yet, and gaps that no socket is left to tell.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import type { Segment } from '../segments/recorded-segment.ts'
import type { SocketSession } from './socket-session.ts'

export class EndedSessions {
  readonly #openForGaps: () => Segment
  #sessions: SocketSession[] = []
  #gaps: GapLine[] = []

  /** Opens a segment of its own for gaps that are reported when no socket is open; it throws what the disk says. */
  constructor(openForGaps: () => Segment) {
    this.#openForGaps = openForGaps
  }

  get pendingLength(): number {
    return this.#sessions.reduce((sum, session) => sum + session.pendingLength, 0)
  }

  add(session: SocketSession): void {
    this.#sessions.push(session)
  }

  gap(line: GapLine): void {
    if (!this.#sessions.some((session) => session.gap(line))) this.#gaps.push(line)
  }

  /** What still fails is kept. What the disk said of it. */
  flush(): unknown[] {
    const failures: unknown[] = []
    this.#sessions = this.#sessions.filter((session) => {
      try {
        session.close()
        return false
      } catch (error) {
        failures.push(error)
        return true
      }
    })
    try {
      if (this.#gaps.length > 0) this.#writeGaps()
    } catch (error) {
      failures.push(error)
    }
    return failures
  }

  /** Gives up what the disk does not take. */
  abandon(): SocketSession[] {
    const abandoned = this.#sessions
    this.#sessions = []
    return abandoned
  }

  #writeGaps(): void {
    const segment = this.#openForGaps()
    for (const gap of this.#gaps) segment.gap(gap)
    this.#gaps = []
    segment.close({ because: 'gaps' })
  }
}

/** What the disk said of those that it did not take. */
export function flushAll(sessions: readonly SocketSession[]): unknown[] {
  return sessions.flatMap((session) => {
    try {
      session.flush()
      return []
    } catch (error) {
      return [error]
    }
  })
}
