// Messages that no form fits: a list whose entries differ from each other. Their text is kept whole, and beside it,
// unseen by readers of the record, the values that the book needs.

import type { AmountPath, DescribedMessage } from '../venues/described-message.ts'

type Value = Record<string, unknown>

/** Where `unevenText` keeps the message itself. */
export const UNEVEN_TEXT = 'raw'

/** The message's text as one value, and what is understood of it under names of our own. */
export function unevenText(compact: string, message: Value, described: DescribedMessage): string {
  const fields: string[] = [`"${UNEVEN_TEXT}":${compact}`]
  const add = (name: string, value: unknown) => fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
  add('market', valueAt(message, described.market))
  if (described.book !== null) add('book', valueAt(message, described.book.path.replace('[]', '[0]')))
  if (described.sid !== null) fields.push(`"sid":${valueAt(message, described.sid)}`)
  if (described.seq !== null) fields.push(`"seq":${valueAt(message, described.seq)}`)
  if (described.eventTime !== null) add('time', String(valueAt(message, described.eventTime.path)))
  if (described.quoteTime !== null) add('quote_time', String(valueAt(message, described.quoteTime.path)))
  if (described.changes !== null) add('changes', changesOf(message, described))
  for (const levels of described.levels) add(`${levels.side}s`, levelsOf(message, levels))
  return `{${fields.join(',')}}`
}

/** Where `unevenText` put what was understood. */
export function describeUneven(described: DescribedMessage): DescribedMessage {
  const dollars = (path: string, from: AmountPath): AmountPath => ({ path, exponent: from.exponent })
  const { changes, best } = described
  return {
    ...described,
    msg: '',
    envelopeType: described.envelopeType,
    market: 'market',
    book: described.book === null ? null : { path: 'book', list: null },
    eventTime: described.eventTime === null ? null : { ...described.eventTime, path: 'time' },
    quoteTime: described.quoteTime === null ? null : { ...described.quoteTime, path: 'quote_time' },
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
  }
}

function changesOf(message: Value, { changes, best }: DescribedMessage): Value[] {
  if (changes === null) return []
  const entries = changes.list === null ? [message] : ((valueAt(message, changes.list) as Value[]) ?? [])
  return entries.map((entry) => ({
    price: text(entry[lastKey(changes.price.path)]),
    size: text(entry[lastKey(changes.size.path)]),
    side: text(entry[lastKey(changes.side)]),
    best_bid: best === null ? '' : text(entry['best_bid']),
    best_ask: best === null ? '' : text(entry['best_ask']),
  }))
}

function levelsOf(message: Value, levels: DescribedMessage['levels'][number]): Value[] {
  const entries = (valueAt(message, levels.list) as (Value | unknown[])[]) ?? []
  return entries.map((entry) =>
    Array.isArray(entry)
      ? { price: text(entry[0]), size: text(entry[1]) }
      : { price: text(entry['price']), size: text(entry['size']) },
  )
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
const lastKey = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function valueAt(message: Value, path: string): unknown {
  let value: unknown = message
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== '')) value = (value as Value | undefined)?.[key]
  return value
}
