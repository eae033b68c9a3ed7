// `source=NAME`: answers a question from the records of one source only, as if nothing else were stored.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { Source } from '../../storage/format/head-layers.ts'
import { OWN_SOURCE } from '../../storage/format/shape.ts'
import type { Store } from '../../storage/open-store.ts'
import { catalogueOfSource, storeOfSource } from '../../workers/layers/source-view.ts'
import type { Workers } from '../../workers/requests.ts'
import { type StoreSecret, storeSecret } from '../http/answers/entity-tag.ts'
import type { ParameterNames, QueryText, VenueParameters } from '../http/parameters/venue-parameters.ts'
import type { Question } from './question.ts'

/** Returns the parameters of a question, with `source` if it is about markets. */
export function declaredBy(question: Question, venue: VenueParameters): ParameterNames<string> {
  const declared: ParameterNames<string> = question.parameters(venue)
  const isOfMarkets = question.kind === 'records' || (question.kind === 'index' && declared.required.includes('market'))
  return isOfMarkets ? { ...declared, optional: [...declared.optional, 'source'] } : declared
}

/** Returns the requested source: undefined unless the query names one; null for the user's own recordings. */
function requestedSource({ source }: Pick<QueryText, 'source'>): Source | undefined {
  return source === OWN_SOURCE ? null : source
}

type StoreAccess = { catalogue: Catalogue; workers: Pick<Workers, 'ask'>; secret: StoreSecret }

/** Limits a query to the layers of its source, if it names one. */
export function limitToSource<Access extends StoreAccess>(access: Access, query: Pick<QueryText, 'source'>): Access {
  const source = requestedSource(query)
  if (source === undefined) return access
  const workers: StoreAccess['workers'] = { ask: (task, request) => access.workers.ask(task, { ...request, source }) }
  const catalogue = catalogueOfSource(access.catalogue, source)
  return { ...access, catalogue, workers, secret: storeSecret(catalogue) }
}

/** Limits a store like `limitToSource`, for a command, which reads the store directly. */
export function storeOfQuery(store: Store, query: Pick<QueryText, 'source'>): Store {
  const source = requestedSource(query)
  return source === undefined ? store : storeOfSource(store, source)
}

/** Returns what the source adds to the answer's identity; nothing if the query names no source. */
export const sourceIdentity = (query: Pick<QueryText, 'source'>): readonly unknown[] =>
  query.source === undefined ? [] : [{ source: query.source }]
