// The constant columns of a table about one book.

import type { Venue } from '../../storage/venue.ts'
import type { Constant } from '../table/table.ts'

export const bookConstants = ({ venue, market, book }: { venue: Venue; market: string; book: string }): Constant[] => [
  { name: 'market', text: market },
  ...(venue === 'polymarket' ? [{ name: 'asset_id', text: book }] : []),
]
