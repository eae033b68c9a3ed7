// Describes the messages of the made-up venue: whole books, deals, and the state of a contract. A book has its time under
// `time` or `at`, or none; its levels are pairs or objects; prices are dollars from 0 to 1.

import {
  type DescribedMessage,
  emptyDescription,
  isObject,
  type JsonObject,
  type NoRecord,
  quoted,
} from '../described-message.ts'

const KINDS = { book: 'snapshot', deal: 'trade', status: 'other' } as const
const SIDES = [
  ['buys', 'bid'],
  ['sells', 'ask'],
] as const

export function describeToy(message: JsonObject): DescribedMessage | NoRecord | undefined {
  const { type, contract } = message
  if (type === 'hello') return { skip: 'hello' }
  if (typeof contract !== 'string' || typeof type !== 'string' || !Object.hasOwn(KINDS, type)) return undefined
  if (contract === '') return { reject: `a ${quoted(type)} message names no contract` }
  const kind = KINDS[type as keyof typeof KINDS]
  const time = ['time', 'at'].find((key) => message[key] !== undefined) ?? null
  return {
    ...emptyDescription({
      ...{ venue: 'toy', kind, msg: '', envelopeType: null, market: 'contract' },
      book: { path: 'contract', list: null },
    }),
    ...{ eventTime: time, quoteTime: time },
    levels: kind === 'snapshot' ? SIDES.map(([list, side]) => levelsOf(list, side, message[list])) : [],
    trade: kind === 'trade' ? tradeIn(message) : null,
  }
}

function levelsOf(list: string, side: 'bid' | 'ask', levels: unknown): DescribedMessage['levels'][number] {
  const isOfObjects = Array.isArray(levels) && isObject(levels[0])
  const [price, size] = isOfObjects ? ['.p', '.q'] : ['[0]', '[1]']
  return {
    ...{ list, side, isComplement: false },
    price: { path: `${list}[]${price}`, mayBeCents: false },
    size: { path: `${list}[]${size}`, mayBeCents: false },
  }
}

const tradeIn = ({ taker }: JsonObject): DescribedMessage['trade'] => ({
  price: { path: 'price', mayBeCents: false },
  size: { path: 'amount', mayBeCents: false },
  side: taker === undefined ? null : 'taker',
  sideMeaning: 'book_side',
  id: 'id',
})
