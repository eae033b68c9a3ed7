// The two venues, by the words that name them in paths, keys and answers.

export const VENUES = ['polymarket', 'kalshi'] as const
export type Venue = (typeof VENUES)[number]
