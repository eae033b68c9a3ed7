// The made-up venue: what its messages and documents mean.

import type { Meaning } from '../meaning.ts'
import { describeToy } from './describe-toy.ts'
import { isToyDocument, toyFacts, toyMetadata } from './toy-metadata.ts'

export const TOY: Meaning = {
  describe: describeToy,
  describePart: null,
  frame: null,
  restHead: null,
  privateKeys: null,
  metadata: {
    isMetadata: isToyDocument,
    page: () => undefined,
    fault: () => undefined,
    read: toyMetadata,
    facts: toyFacts,
  },
  instrument: {
    id: (contract) => `${contract}.TOY`,
    currencyOn: () => 'USD',
    ...{ opens: 'opens', closes: 'closes' },
    outcomeOf: () => 'Yes',
    info: ({ market }) => ({ contract: market }),
  },
  hasOldSnapshots: false,
  hasNoPrices: false,
  isMatched: false,
  hasHashes: false,
  socket: null,
}
