// `info`: the venue's metadata of a market, and what is stored for the market.

import { marketInfo } from '../../questions/finding/market-info.ts'
import { table } from '../terminal/table.ts'
import { indexCommand } from './index-command.ts'
import { type Answer, printedCell, type Row } from './index-output.ts'
import { ofQuestion } from './index-question.ts'

type MarketInfo = Answer & {
  event: { id: string; title: string | null } | null
  outcomes: { outcome: string; title: string | null; asset_id: string | null }[]
  price_ranges: { start: number; end: number; step: number }[] | null
  sources?: { source: string; licence: string | null; attribution: string | null }[]
}

/** Converts an answer to a CSV row. Omits the venue's own JSON (`said`). */
function rowOf(answer: Answer): Row {
  const { event, outcomes, price_ranges, said: _, sources = [], ...flat } = answer as MarketInfo
  const named = outcomes.map(({ outcome, title, asset_id }) => [outcome, title, asset_id].filter(Boolean).join(': '))
  const ranges = price_ranges?.map(({ start, end, step }) => `${start} to ${end} by ${step}`).join(', ')
  return {
    ...(flat as Row),
    event: event?.id ?? null,
    event_title: event?.title ?? null,
    outcomes: named.join(', ') || null,
    price_ranges: ranges ?? null,
    ...(sources.length > 0 && { sources: sources.map(sourceText).join('; ') }),
  }
}

/** Names the licence and the attribution with every source. */
const sourceText = ({ source, licence, attribution }: NonNullable<MarketInfo['sources']>[number]): string =>
  [source, licence ?? 'no licence stated', ...(attribution === null ? [] : [`by ${attribution}`])].join(', ')

const isTime = (name: string) => name.endsWith('_timestamp') || name === 'loaded_at'

function print(answer: Answer): string {
  const known = Object.entries(rowOf(answer)).filter(([, value]) => value !== null)
  const rows = known.map(([name, value]) => [
    name.replaceAll('_', ' ').toUpperCase(),
    isTime(name) ? new Date(value as number).toISOString() : printedCell(value),
  ])
  return table(['WHAT', 'VALUE'], rows)
}

export const addInfoCommand = indexCommand({
  ...ofQuestion(marketInfo),
  name: 'info',
  description: 'show the metadata of a market: title, event, outcomes, times, result, rules',
  entries: (answer) => [answer],
  row: rowOf,
  table: print,
  examples: [
    'backbook info --venue kalshi --market KXDEMODAY-26JUL20-T50',
    'backbook info --venue kalshi --market KXDEMODAY-26JUL20-T50 --json | jq .said',
  ],
})
