// A server that is about to stop: answers for a while longer, and reports to load balancers that it takes no more
// requests. Each answer closes its connection, so that no connection is idle when the server stops: a request sent on
// an idle connection at that moment would be lost.

import type { Log } from '../../observe/log/log.ts'
import type { Fetch } from './fetch.ts'

export class Draining {
  #isDraining = false

  readonly isDraining = (): boolean => this.#isDraining

  around(fetch: Fetch): Fetch {
    return (request) => {
      const answer = fetch(request)
      return this.#isDraining ? lastAnswer(answer) : answer
    }
  }

  async run(drainMs: number, log: Pick<Log, 'info'>): Promise<void> {
    this.#isDraining = true
    if (drainMs === 0) return
    log.info({ drain_ms: drainMs }, 'draining: load balancers should send no more requests')
    await Bun.sleep(drainMs)
  }
}

/** Closes the connection after this answer. */
export const lastAnswer = (answer: Response | Promise<Response>): Response | Promise<Response> =>
  answer instanceof Promise ? answer.then(closing) : closing(answer)

function closing(response: Response): Response {
  // A connection that becomes a WebSocket stays open.
  if (response.status !== 101) response.headers.set('connection', 'close')
  return response
}
