// Handles messages that no form fits because the entries of a list differ. Such a message is split by book. If that
// does not help, its whole text is stored, together with the values that the book needs. Readers of the record do not
// see those values.

import { type AmountPath, type DescribedMessage, isObject } from '../venues/described-message.ts'
import { childOf, compactJson, type JsonNode } from './json-tree.ts'

const encoder = new TextEncoder()

type Value = Record<string, unknown>

/** Key under which `unevenText` stores the message itself. */
export const UNEVEN_TEXT = 'raw'

/** Returns one message text for each book of the list, in order of first appearance. */
export function splitByBook(raw: Uint8Array, root: JsonNode, list: string): Uint8Array[] {
  const entries = childOf(root, list)
  if (root.type !== 'object' || entries?.type !== 'array') return []
  const byBook = Map.groupBy(entries.children, (entry) => {
    const book = childOf(entry, 'asset_id')
    return book?.type === 'string' ? compactJson(raw, book) : ''
  })
  return [...byBook.values()].map((children) => {
    const listAt = root.keys.lastIndexOf(list)
    const newChildren = root.children.map((child, i) => (i === listAt ? { ...entries, children } : child))
    return encoder.encode(compactJson(raw, { ...root, children: newChildren }))
  })
}

/** Returns JSON that has the record's text as one value. The values that the program understands are added under the
 *  program's own names. */
export function unevenText(recordText: string, message: Value, described: DescribedMessage): string {
  const fields: string[] = [`"${UNEVEN_TEXT}":${recordText}`]
  const add = (name: string, value: unknown) => fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
  add('market', valueAt(message, described.market))
  if (described.book !== null) add('book', text(valueAt(message, described.book.path.replace('[]', '[0]'))))
  for (const name of ['sid', 'seq'] as const) {
    const path = described[name]
    const value = path === null ? undefined : valueAt(message, path)
    if (value !== undefined) add(name, value)
  }
  if (described.eventTime !== null) add('time', text(valueAt(message, described.eventTime)))
  if (described.quoteTime !== null) add('quote_time', text(valueAt(message, described.quoteTime)))
  if (described.changes !== null) add('changes', changesOf(message, described))
  for (const [name, path] of Object.entries(tradePaths(described))) {
    const value = valueAt(message, path)
    // A trade id must be a string; any other value is left out.
    if (name !== 'trade_id' || typeof value === 'string') add(name, text(value))
  }
  for (const levels of described.levels) add(`${levels.side}s`, levelsOf(message, levels))
  return `{${fields.join(',')}}`
}

/** Returns the description of what `unevenText` wrote. */
export function describeUneven(described: DescribedMessage): DescribedMessage {
  const dollars = (path: string, from: AmountPath): AmountPath => ({
    path,
    mayBeCents: from.mayBeCents,
  })
  const { changes, best, trade } = described
  return {
    ...described,
    msg: '',
    market: 'market',
    book: described.book === null ? null : { path: 'book', list: null },
    sid: described.sid && 'sid',
    seq: described.seq && 'seq',
    printed: described.printed && { ...described.printed, received: null },
    eventTime: described.eventTime === null ? null : 'time',
    quoteTime: described.quoteTime === null ? null : 'quote_time',
    changes: changes && {
      ...changes,
      list: 'changes',
      price: dollars('changes[].price', changes.price),
      size: dollars('changes[].size', changes.size),
      side: 'changes[].side',
    },
    levels: described.levels.map((levels) => ({
      ...levels,
      list: `${levels.side}s`,
      price: dollars(`${levels.side}s[].price`, levels.price),
      size: dollars(`${levels.side}s[].size`, levels.size),
    })),
    best: best && { bid: 'changes[].best_bid', ask: 'changes[].best_ask' },
    trade: trade && {
      ...trade,
      price: dollars('trade_price', trade.price),
      size: dollars('trade_size', trade.size),
      side: trade.side && 'trade_side',
      id: trade.id && 'trade_id',
    },
  }
}

/** Returns the paths of a trade's values, by the names under which `unevenText` stores them. */
function tradePaths({ trade }: DescribedMessage): Record<string, string> {
  if (trade === null) return {}
  const { price, size, side, id } = trade
  const paths = { trade_price: price.path, trade_size: size.path }
  return { ...paths, ...(side === null ? {} : { trade_side: side }), ...(id === null ? {} : { trade_id: id }) }
}

function changesOf(message: Value, { changes, best }: DescribedMessage): Value[] {
  if (changes === null) return []
  const entries = changes.list === null ? [message] : arrayAt(message, changes.list).filter(isObject)
  return entries.map((entry) => {
    const at = (path: string) => text(valueAt(entry, changes.list === null ? path : lastKey(path)))
    return {
      price: at(changes.price.path),
      size: at(changes.size.path),
      side: at(changes.side),
      best_bid: best === null ? NO_PRICE : stated(valueAt(entry, 'best_bid')),
      best_ask: best === null ? NO_PRICE : stated(valueAt(entry, 'best_ask')),
    }
  })
}

function levelsOf(message: Value, levels: DescribedMessage['levels'][number]): Value[] {
  const [priceKey, sizeKey] = [lastKey(levels.price.path), lastKey(levels.size.path)]
  return arrayAt(message, levels.list).map((entry) => ({
    price: text(valueAt(entry, priceKey)),
    size: text(valueAt(entry, sizeKey)),
  }))
}

function arrayAt(message: Value, path: string): unknown[] {
  const list = valueAt(message, path)
  return Array.isArray(list) ? list : []
}

/** Stands for a best price that an entry does not state. A real price is never negative. */
const NO_PRICE = '-1'

const isPrinted = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
const text = (value: unknown): string => (isPrinted(value) ? String(value) : '')
const stated = (value: unknown): string => (isPrinted(value) ? String(value) : NO_PRICE)
/** Returns the last key of a path: `price` of `bids[].price`, `0` of `yes_dollars[][0]`. */
const lastKey = (path: string): string => /([^.[\]]+)\]?$/.exec(path)![1]!

function valueAt(from: unknown, path: string): unknown {
  let value = from
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Value)[key]
  }
  return value
}
