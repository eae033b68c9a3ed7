// The made-up venue in the page.

import type { ShownVenue } from './shown-venue.ts'

export const TOY: ShownVenue = {
  label: 'Toy',
  site: 'toy.example',
  pathOf: () => null,
  idParameter: 'contract',
  listParameter: 'contracts',
  hasAssets: false,
  hasHashes: false,
  rawFromDate: null,
  canonical: (contract) => contract,
}
