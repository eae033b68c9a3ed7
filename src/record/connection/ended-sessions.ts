// Holds sockets that have ended but whose segments are not on disk yet, and gaps for which no open socket is left.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import type { Segment } from '../segments/segment-files.ts'
import type { SocketSession } from './socket-session.ts'

export class EndedSessions {
  readonly #openForGaps: () => Segment
  #sessions: SocketSession[] = []
  #gaps: GapLine[] = []
  /** A segment with gaps that the disk has refused so far. */
  #unclosed: Segment | undefined

  /** `openForGaps` opens an extra segment for gaps that occur when no socket is open. It throws disk errors. */
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

  /** Closes the segments and writes the gaps. Keeps the segments and gaps that could not be written, and returns the
   *  errors. */
  flush(): unknown[] {
    const failures = this.#sessions.splice(0).flatMap((session) =>
      errorsOf(
        () => session.close(),
        () => this.#sessions.push(session),
      ),
    )
    failures.push(...errorsOf(() => this.#writeGaps()))
    return failures
  }

  /** Forgets the sockets whose segments cannot be written, and returns them. */
  abandon(): SocketSession[] {
    const abandoned = this.#sessions
    this.#sessions = []
    return abandoned
  }

  #writeGaps(): void {
    if (this.#gaps.length > 0) this.#unclosed ??= this.#openForGaps()
    for (const gap of this.#gaps.splice(0)) this.#unclosed?.gap(gap)
    this.#unclosed?.close({ because: 'gaps' })
    this.#unclosed = undefined
  }
}

/** Runs `run`. If it throws, calls `failed` and returns a list with the error; otherwise returns an empty list. */
export function errorsOf(run: () => void, failed?: () => void): unknown[] {
  try {
    run()
    return []
  } catch (error) {
    failed?.()
    return [error]
  }
}
