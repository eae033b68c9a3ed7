// The base class of WebSockets and of connections with server-sent events: calls the session and ends the connection.

import type { SentBody } from '../server/sent-body.ts'
import type { Place } from './open-connections.ts'
import type { SocketSession } from './socket.ts'

/** The close codes of a client that left, and of a failure of the server. */
export const [ABNORMAL, FAILED] = [1006, 1011]

export type About = { place: Place; sent: SentBody; onFailure: (error: unknown) => void }

export abstract class Connection {
  protected readonly session: SocketSession
  protected readonly about: About

  constructor(session: SocketSession, about: About) {
    this.session = session
    this.about = about
  }

  abstract fail(error: unknown): void

  protected guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.fail(error)
    }
  }

  protected leave(code: number): void {
    this.about.place.leave()
    this.about.sent.done(code === ABNORMAL ? 'left' : code === FAILED ? 'failed' : 'whole')
    try {
      this.session.close(code)
    } catch (error) {
      this.about.onFailure(error)
    }
  }
}
