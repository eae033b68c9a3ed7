// The explorer's settings for Polymarket.

import { path, type ShownVenue } from './shown-venue.ts'

export const POLYMARKET: ShownVenue = {
  label: 'Polymarket',
  site: 'polymarket.com',
  pathOf({ slug, event }) {
    if (slug === null) return null
    return event === null ? path('market', slug) : path('event', event.id, slug)
  },
  idParameter: 'condition_id',
  listParameter: 'books',
  hasAssets: true,
  hasHashes: true,
  rawFromDate: '2026-02-08',
  canonical: (id) => id,
}
