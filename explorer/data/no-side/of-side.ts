// The No side of a market of Kalshi. The API has its book as that of Yes: a bid for No at 40¢ is an ask for Yes at 60¢.

import type { BookId } from '../../state/view.ts'

type Flips = typeof import('./flips.ts')

export const isNoSide = ({ venue, asset }: BookId): boolean => venue === 'kalshi' && asset !== null

/** An answer of the API as the side of `book` has it. `choose` takes what flips it. */
export const ofSide = async <T>(book: BookId, answer: T, choose: (flips: Flips) => (answer: T) => T): Promise<T> =>
  isNoSide(book) ? choose(await import('./flips.ts'))(answer) : answer
