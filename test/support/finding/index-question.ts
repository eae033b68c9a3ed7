// Sends a request that the index answers, without a route and without a store.

import { PARAMETERS } from '../../../src/http/parameters/venue-parameters.ts'
import type { IndexQuestion } from '../../../src/questions/question.ts'
import type { Venue } from '../../../storage/venue.ts'
import { fakeCatalogue } from '../server.ts'

export type AskIndex = {
  venue?: Venue
  query?: Record<string, string>
  catalogue?: Parameters<typeof fakeCatalogue>[0]
}

/** Returns the answer, and the input of its entity tag. */
export async function askIndex<Own extends string>(
  question: IndexQuestion<Own>,
  { venue = 'kalshi', query = {}, catalogue = {} }: AskIndex,
): Promise<{ body: unknown; identity: string }> {
  const parsed = { parameters: PARAMETERS[venue], query: query as never, nowMs: 0 }
  const { identity, make } = await question.read(fakeCatalogue(catalogue), parsed)
  return { body: await make(), identity: JSON.stringify(identity) }
}
