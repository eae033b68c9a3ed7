// The two venues, as they are named in paths, keys and answers.

export const VENUES = ['polymarket', 'kalshi'] as const
export type Venue = (typeof VENUES)[number]
