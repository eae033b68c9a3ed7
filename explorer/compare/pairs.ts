// Pairs of books that the reader saves on this device. Only the reader decides which books belong together.

import { deviceList } from '../find/device-list.ts'
import { parseBook } from '../state/view.ts'

/** `first` and `second` are books, as `printBook` writes them. */
export type Pair = readonly [first: string, second: string, name: string]

const isBook = (text: unknown): boolean => typeof text === 'string' && parseBook(text) !== null

const isItem = (each: unknown): boolean =>
  Array.isArray(each) && isBook(each[0]) && isBook(each[1]) && typeof each[2] === 'string'

export const nameOfPair = ([first, second]: Pair): string => `${first} ${second}`

export const pairs = deviceList<Pair>('backbook-pairs', { isItem, nameOf: nameOfPair, countMax: 50 })
