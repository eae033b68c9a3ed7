// Reads metadata documents of all venues. The form of a document shows which venue it is from.

import type { Metadata } from '../../storage/finding/metadata.ts'
import type { JsonObject } from '../venues/described-message.ts'
import type { MetadataMeaning } from '../venues/meaning.ts'
import { ofVenues } from '../venues.ts'

/** Returns the metadata functions of the document's venue; undefined if the document is not metadata. */
export const metadataMeaning = (document: JsonObject): MetadataMeaning | undefined =>
  ofVenues(({ metadata }) => (metadata.isMetadata(document) ? metadata : undefined))

/** Returns the metadata in the documents, in order. Skips documents that are not metadata. */
export function metadataIn(documents: readonly JsonObject[]): Metadata {
  const all = documents.map((each) => metadataMeaning(each)?.read(each) ?? { markets: [], events: [] })
  return { markets: all.flatMap(({ markets }) => markets), events: all.flatMap(({ events }) => events) }
}

/** Returns a name for each market and event. */
export function namesIn({ markets, events }: Metadata): string[] {
  const named = markets.map(({ venue, market }) => `market ${venue} ${market}`)
  return [...named, ...events.map(({ venue, event }) => `event ${venue} ${event}`)]
}
