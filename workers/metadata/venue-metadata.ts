// Metadata of both venues, told from its form.

import type { Metadata } from '../../storage/finding/metadata.ts'
import type { JsonObject } from '../venues/described-message.ts'
import { isKalshiMetadata, kalshiMetadata } from '../venues/kalshi/kalshi-metadata.ts'
import { gammaMetadata, isGamma } from '../venues/polymarket/gamma-metadata.ts'

export function isMetadata(value: JsonObject): boolean {
  return isGamma(value) || isKalshiMetadata(value)
}

/** What the documents say, in their order; nothing for a document that is no metadata. */
export function metadataIn(documents: readonly JsonObject[]): Metadata {
  const all = documents.map((value) => {
    if (isGamma(value)) return gammaMetadata(value)
    return isKalshiMetadata(value) ? kalshiMetadata(value) : { markets: [], events: [] }
  })
  return { markets: all.flatMap(({ markets }) => markets), events: all.flatMap(({ events }) => events) }
}

/** A name for each market and event in it. */
export function namesIn({ markets, events }: Metadata): string[] {
  const named = markets.map(({ venue, market }) => `market ${venue} ${market}`)
  return [...named, ...events.map(({ venue, event }) => `event ${venue} ${event}`)]
}
