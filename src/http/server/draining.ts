// A server that is about to stop: it still answers for a while, and tells balancers to send no more. Its answers end
// their connections, so that none is idle when it stops: a request that is sent on such a one just then would be lost.

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
    log.info({ drain_ms: drainMs }, 'draining: balancers are told to send no more')
    await Bun.sleep(drainMs)
  }
}

/** Ends its connection. */
export const lastAnswer = (answer: Response | Promise<Response>): Response | Promise<Response> =>
  answer instanceof Promise ? answer.then(closing) : closing(answer)

function closing(response: Response): Response {
  // What becomes a WebSocket goes on.
  if (response.status !== 101) response.headers.set('connection', 'close')
  return response
}
