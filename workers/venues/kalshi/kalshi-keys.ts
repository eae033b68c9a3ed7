// The keys under which each form of Kalshi's messages has its values. If several keys are present, the first one
// counts.

import type { JsonObject } from '../described-message.ts'

/** Keys with `dollars` hold dollars. The others hold cents if the value has no decimal point. */
export const CHANGE_PRICE_KEYS = ['price_dollars', 'price']
export const CHANGE_SIZE_KEYS = ['delta_fp', 'delta']
export const TRADE_PRICE_KEYS = ['yes_price_dollars', 'yes_price', 'price_dollars', 'price']
export const TRADE_SIZE_KEYS = ['count_fp', 'count', 'size']
export const TAKER_KEYS = ['taker_side', 'taker_outcome_side', 'taker_book_side', 'side']

export const SIDES = ['yes', 'no'] as const
/** Returns the keys of a side's levels. */
export const sideKeys = (side: string) => [`${side}_dollars_fp`, `${side}_dollars`, side]

/** Returns the first key whose value is neither missing nor null. */
export const firstKey = (msg: JsonObject, keys: readonly string[]): string | undefined =>
  keys.find((key) => msg[key] !== undefined && msg[key] !== null)
