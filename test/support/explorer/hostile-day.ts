// A short day whose market has a name made to harm the page: markup, marks that turn the direction of writing, and 500
// characters without a space.

import { type SyntheticDay, syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'

const MARKUP = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'"\`{{1+1}}</textarea></title>`
const TURNING = '\u202egnitirw fo\u202b\u2066 noitcerid\u0000\u200f'

export const HOSTILE_TITLE = `${MARKUP} hostile ${TURNING} ${'W'.repeat(500)}`
const HOSTILE_SLUG = `../../docs?x="><svg onload=alert(1)>&${'s'.repeat(200)}`

type Market = { question: string; slug: string; outcomes: string; conditionId: string }

export function hostileDay(): SyntheticDay {
  const day = syntheticDay({ date: '2026-07-20', kalshiRecords: 2_000, polymarketRecords: 1_500 })
  const event = day.gammaEvent as { markets: Market[] }
  const hostile = (market: Market): Market =>
    market.conditionId === day.conditionId
      ? { ...market, question: HOSTILE_TITLE, slug: HOSTILE_SLUG, outcomes: JSON.stringify([HOSTILE_TITLE, TURNING]) }
      : market
  const gammaEvent = { ...event, title: HOSTILE_TITLE, slug: HOSTILE_SLUG, markets: event.markets.map(hostile) }
  return { ...day, gammaEvent }
}
