// Formats the taker's side of a trade. The side is null if the venue does not give it.

type Side = 'buy' | 'sell' | null

export const sideMark = (side: Side): string => (side === null ? '◆' : side === 'buy' ? '▲' : '▼')

export const sideWord = (side: Side): string => (side === null ? 'unknown' : side === 'buy' ? 'bought' : 'sold')
