// The No side of a Kalshi market. The API has only the Yes book, in which a bid for No at 40¢ is an ask for Yes at 60¢.

import type { BookId } from '../../state/view.ts'

type Flips = typeof import('./flips.ts')

export const isNoSide = ({ venue, asset }: BookId): boolean => venue === 'kalshi' && asset !== null

/** Converts an answer of the API to the side of `book`. `choose` selects the function that flips it. */
export const ofSide = async <T>(book: BookId, answer: T, choose: (flips: Flips) => (answer: T) => T): Promise<T> =>
  isNoSide(book) ? choose(await import('./flips.ts'))(answer) : answer
