// Stores the metadata of events and markets, and Gamma's slugs for the lookup.

import type { Catalogue, SlugAnswers } from '../../storage/catalogue.ts'
import { metadataIn, namesIn } from '../metadata/venue-metadata.ts'
import { isObject } from '../venues/described-message.ts'
import { isGamma, slugAnswers } from '../venues/polymarket/gamma-metadata.ts'

/** Returns the slugs of the events and markets in Gamma's documents. Skips other documents. */
export function gammaAnswers(documents: unknown[]): SlugAnswers {
  const answers = documents.filter(isObject).filter(isGamma).map(slugAnswers)
  return { events: answers.flatMap(({ events }) => events), markets: answers.flatMap(({ markets }) => markets) }
}

/** Stores documents as the venues send them, and skips others. Returns the names of the events and markets that they
 *  describe. */
export async function storeMetadata(
  catalogue: Pick<Catalogue, 'putSlugs' | 'putMetadata'>,
  documents: unknown[],
  loadedMs: number,
): Promise<string[]> {
  const { events, markets } = gammaAnswers(documents)
  if (events.length + markets.length > 0) await catalogue.putSlugs({ events, markets })
  const metadata = metadataIn(documents.filter(isObject))
  if (metadata.events.length + metadata.markets.length > 0) await catalogue.putMetadata(metadata, loadedMs)
  return namesIn(metadata)
}
