// Keeps Gamma's events and markets, for the lookup of slugs.

import type { Catalogue } from '../../storage/catalogue.ts'
import { isObject, type JsonObject } from '../venues/described-message.ts'
import { metadataKindOf, slugAnswers } from '../venues/polymarket/gamma-metadata.ts'

const isGamma = (document: JsonObject) => metadataKindOf(document) === 'gamma'

/** Documents as Gamma gives them; what is none is passed over. */
export async function storeMetadata(catalogue: Pick<Catalogue, 'putSlugs'>, documents: unknown[]): Promise<void> {
  const answers = documents.filter(isObject).filter(isGamma).map(slugAnswers)
  const events = answers.flatMap((answer) => answer.events)
  const markets = answers.flatMap((answer) => answer.markets)
  if (events.length + markets.length > 0) await catalogue.putSlugs({ events, markets })
}
