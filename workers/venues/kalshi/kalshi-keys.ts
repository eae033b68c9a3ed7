// Under which keys the forms of Kalshi's messages have their values: the first that is there counts.

import type { JsonObject } from '../described-message.ts'

/** Those of dollars say so; the others are in cents where the value has no point. */
export const CHANGE_PRICE_KEYS = ['price_dollars', 'price']
export const CHANGE_SIZE_KEYS = ['delta_fp', 'delta']
export const TRADE_PRICE_KEYS = ['yes_price_dollars', 'yes_price', 'price_dollars', 'price']
export const TRADE_SIZE_KEYS = ['count_fp', 'count', 'size']
export const TAKER_KEYS = ['taker_side', 'taker_outcome_side', 'taker_book_side', 'side']

export const SIDES = ['yes', 'no'] as const
/** Of the levels of a side. */
export const sideKeys = (side: string) => [`${side}_dollars_fp`, `${side}_dollars`, side]

/** The first of the keys whose value is not null. */
export const firstKey = (msg: JsonObject, keys: readonly string[]): string | undefined =>
  keys.find((key) => msg[key] !== undefined && msg[key] !== null)
