// The market endpoints asked without a server, a port or a key: the same routes, over a store that is open here. What a
// command prints is what a client would be sent, and what it refuses is refused in the same words.

import { Elysia } from 'elysia'
import type { Store } from '../../../storage/open-store.ts'
import { answerHere } from '../../../workers/pool/answer-in-process.ts'
import { AnswerCache } from '../../http/answers/answer-cache.ts'
import { singleValues } from '../../http/parameters/single-values.ts'
import { type Problem, problems } from '../../http/problem/problem.ts'
import type { LogFailure } from '../../http/server/failure-log.ts'
import { routeTable } from '../../http/server/route-table.ts'
import { questionRoutes } from '../../questions/question-routes.ts'
import { CommandError, EXIT, SEE_VERIFY } from '../terminal/program.ts'

export type AskEndpoint = (path: string, query: Readonly<Record<string, string>>) => Promise<Response>

/** Asking rejects with CommandError where the answer is a problem. */
export function marketEndpoints(store: Store): AskEndpoint {
  const { catalogue } = store
  const workers = answerHere(store)
  let unexpected: unknown
  // What fails after the first byte reaches the command with the body; before it, a problem says no more than a server.
  const log: LogFailure = (_id, _request, error) => {
    unexpected = error
  }
  const app = new Elysia({ normalize: false })
  app
    .use(
      problems(
        routeTable(() => app.routes),
        log,
      ),
    )
    .use(singleValues())
    .use(questionRoutes({ catalogue, workers, cache: new AnswerCache(0), nowMs: Date.now, log }))
  return async (path, query) => {
    const response = await app.fetch(new Request(`http://localhost${path}?${new URLSearchParams(query)}`))
    if (response.ok) return response
    const problem = (await response.json()) as Problem
    throw problem.code === 'internal' && unexpected !== undefined ? unexpected : problemError(problem)
  }
}

function problemError({ status, code, detail }: Problem): CommandError {
  if (code === 'market_not_stored' || code === 'asset_not_stored')
    return new CommandError(inFlags(detail), EXIT.notStored)
  if (code === 'block_corrupt') return new CommandError(`${detail}: ${SEE_VERIFY}`, EXIT.failed)
  return new CommandError(inFlags(detail), status < 500 ? EXIT.usage : EXIT.failed)
}

/** The words of an endpoint, in those of the command line. */
export const inFlags = (detail: string): string =>
  detail
    .replace(/^(date|resolution|fill)\b/, '--$1')
    .replace(/^(?:condition_id|ticker)\b/, '--market')
    .replace(/\b(start|end)_timestamp\b/g, '--$1')
    .replaceAll('asset_id', '--asset-id')
    .replaceAll('market/list', 'the command markets')
