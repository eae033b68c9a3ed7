// Keeps Gamma's events and markets, for the lookup of slugs.

import type { Catalogue, SlugAnswers } from '../../storage/catalogue.ts'
import { isObject, type JsonObject } from '../venues/described-message.ts'
import { metadataKindOf, slugAnswers } from '../venues/polymarket/gamma-metadata.ts'

const isGamma = (document: JsonObject) => metadataKindOf(document) === 'gamma'

/** What documents of Gamma say; others are passed over. */
export function gammaAnswers(documents: unknown[]): SlugAnswers {
  const answers = documents.filter(isObject).filter(isGamma).map(slugAnswers)
  return { events: answers.flatMap(({ events }) => events), markets: answers.flatMap(({ markets }) => markets) }
}

/** Documents as Gamma gives them; others are passed over. */
export async function storeMetadata(catalogue: Pick<Catalogue, 'putSlugs'>, documents: unknown[]): Promise<void> {
  const { events, markets } = gammaAnswers(documents)
  if (events.length + markets.length > 0) await catalogue.putSlugs({ events, markets })
}
