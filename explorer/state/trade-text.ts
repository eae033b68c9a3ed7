// How the side of a trade is said: what the taker did, or that the venue does not say it.

type Side = 'buy' | 'sell' | null

export const sideMark = (side: Side): string => (side === null ? '◆' : side === 'buy' ? '▲' : '▼')

export const sideWord = (side: Side): string => (side === null ? 'unknown' : side === 'buy' ? 'bought' : 'sold')
