// Reads metadata documents of both venues. The form of a document shows which venue it is from.

import type { Metadata } from '../../storage/finding/metadata.ts'
import type { JsonObject } from '../venues/described-message.ts'
import { isKalshiMetadata, kalshiMetadata } from '../venues/kalshi/kalshi-metadata.ts'
import { gammaMetadata, isGamma } from '../venues/polymarket/gamma-metadata.ts'

export function isMetadata(value: JsonObject): boolean {
  return isGamma(value) || isKalshiMetadata(value)
}

/** Returns the metadata in the documents, in order. Skips documents that are not metadata. */
export function metadataIn(documents: readonly JsonObject[]): Metadata {
  const all = documents.map((value) => {
    if (isGamma(value)) return gammaMetadata(value)
    return isKalshiMetadata(value) ? kalshiMetadata(value) : { markets: [], events: [] }
  })
  return { markets: all.flatMap(({ markets }) => markets), events: all.flatMap(({ events }) => events) }
}

/** Returns a name for each market and event. */
export function namesIn({ markets, events }: Metadata): string[] {
  const named = markets.map(({ venue, market }) => `market ${venue} ${market}`)
  return [...named, ...events.map(({ venue, event }) => `event ${venue} ${event}`)]
}
