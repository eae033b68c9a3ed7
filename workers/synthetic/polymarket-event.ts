// The Polymarket event of the synthetic day: its questions, identifiers and price paths. The town does not exist, and
// the title says that the data is made up.

import type { Wander } from './fair-price.ts'
import { Random } from './random.ts'

export type PolymarketEventPlan = {
  id: string
  slug: string
  title: string
  negRiskMarketId: string
  markets: PolymarketMarketPlan[]
}

export type PolymarketMarketPlan = {
  id: string
  question: string
  questionId: string
  slug: string
  label: string
  conditionId: string
  /** Tokens of YES and NO. */
  assetIds: [string, string]
  /** Tick size at the start of the day. */
  tickMilli: number
  path: Wander
  /** Share of the day's messages. */
  share: number
}

/** Smallest order, in contracts. */
export const ORDER_SIZE_MIN = 5

type Bracket = Pick<PolymarketMarketPlan, 'label' | 'tickMilli' | 'path' | 'share'>

/** The first market is the busiest. The last one falls below 0.04 during the day, and then gets a finer tick. */
const BRACKETS: Bracket[] = [
  { label: '80-84°F', tickMilli: 1, path: { fromMilli: 470, toMilli: 560, widthMilli: 30 }, share: 0.6 },
  { label: '85°F or higher', tickMilli: 10, path: { fromMilli: 445, toMilli: 415, widthMilli: 25 }, share: 0.25 },
  { label: '79°F or below', tickMilli: 10, path: { fromMilli: 85, toMilli: 22, widthMilli: 5 }, share: 0.15 },
]

export function polymarketEventPlan(date: string, seed: number): PolymarketEventPlan {
  const random = new Random(seed, `polymarket event ${date}`)
  const day = dayName(date)
  const slug = slugOf(`demo highest temperature in springfield on ${day}`)
  const markets = BRACKETS.map((bracket) => ({
    ...bracket,
    id: `9${random.decimal(6)}`,
    question: `Demo: will the highest temperature in Springfield be ${bracket.label} on ${day}?`,
    questionId: `0x${random.hex(64)}`,
    slug: slugOf(`${slug} ${bracket.label}`),
    conditionId: `0x${random.hex(64)}`,
    assetIds: [assetId(random), assetId(random)] satisfies [string, string],
  }))
  return {
    id: `9${random.decimal(5)}`,
    slug,
    title: `Demo: highest temperature in Springfield on ${day}?`,
    negRiskMarketId: `0x${random.hex(62)}00`,
    markets,
  }
}

/** Returns 78 digits below 2^256, like the venue's token ids. */
function assetId(random: Random): string {
  return `1${random.pick(['00', '01', '02', '03', '08', '10', '11', '12', '13', '14'])}${random.decimal(75)}`
}

/** Returns a date such as 'July 20 2026'. */
function dayName(date: string): string {
  const formatted = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return formatted.replace(',', '')
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('°', '')
    .replaceAll(/[^a-z0-9]+/g, '-')
