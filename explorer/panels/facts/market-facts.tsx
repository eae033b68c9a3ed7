// Shows the facts about a market below its title: event, strike, times, status, result, rules, and a link to its venue.

import type { MarketInfo } from '../../data/answers.ts'
import { capital, decidedBy, eventTime, strikeText, titleOf, venueUrl } from '../../data/market-name.ts'
import { clockText, dateText, zoneText } from '../../state/time-text.ts'
import { shownPrice } from '../../state/units.ts'
import type { MarketView } from '../../state/view.ts'
import { Link } from '../top.tsx'
import { WatchButton } from '../watch-button.tsx'

/** `info` is null until it has loaded. */
type FactsProps = { info: MarketInfo | null; view: MarketView }

/** Facts that are hidden with the future. `closes` is one of them, because a venue may close a market early. */
const LATER = ['closes', 'status', 'result', 'settled']

export function MarketFacts({ info, view: { book, zone, hidesFuture, atMs } }: FactsProps) {
  const { venue, market } = book
  const url = info === null ? null : venueUrl(book, info)
  const isShown = ([name, text]: Fact) => text !== null && !(hidesFuture && LATER.includes(name))
  const facts = info === null ? [] : factsOf(info, zone).filter(isShown)
  const until = hidesFuture && atMs !== null && { untilMs: atMs }
  return (
    <div class="facts">
      <p class="quiet">
        {venue} · {market}
      </p>
      <dl>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name === 'event' && info?.event ? (
                <Link to={{ page: 'event', venue, event: info.event.id, ...until }}>{text!}</Link>
              ) : (
                text
              )}
            </dd>
          </div>
        ))}
      </dl>
      {info?.rules != null && (
        <details>
          <summary>Rules</summary>
          <p>{info.rules}</p>
        </details>
      )}
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer">
          On {capital(venue)}
        </a>
      )}
      {info !== null && (
        <WatchButton item={{ venue, market, title: info.title === null ? null : titleOf(book, info) }} />
      )}
    </div>
  )
}

type Fact = [name: string, text: string | null]

function factsOf(info: MarketInfo, zone: string): Fact[] {
  const { event, open_timestamp: opensMs, close_timestamp: closesMs, settlement_timestamp: settledMs } = info
  const names = [event?.title ?? event?.id, eventTime(info)].filter((each) => each != null)
  return [
    ['event', names.length === 0 ? null : names.join(', ')],
    ['strike', strikeText(info)],
    ['opens', opensMs === null ? null : timeText(opensMs, zone)],
    ['closes', closesMs === null ? null : timeText(closesMs, zone, opensMs)],
    ['status', info.status],
    ['result', resultText(info)],
    ['settled', settledMs === null ? null : timeText(settledMs, zone, closesMs)],
  ]
}

/** Returns a text such as `Yes at 4,128.4`; adds what a contract paid only if the result does not imply it. */
function resultText(info: MarketInfo): string | null {
  const { result, settlement_value: value } = info
  if (result === null) return null
  const by = decidedBy(info)
  const paid = result === 'split' && value !== null ? `, paid ${shownPrice(value)}` : ''
  return `${capital(result)}${by === null ? '' : ` at ${by}`}${paid}`
}

/** Formats a time. Omits the day if it equals that of `beforeMs`, and the zone if there is a `beforeMs`. */
function timeText(ms: number, zone: string, beforeMs: number | null = null): string {
  const clock = clockText(ms, zone, ms % 60_000 === 0 ? 60_000 : 1_000)
  if (beforeMs !== null && dateText(beforeMs, zone) === dateText(ms, zone)) return clock
  return `${dateText(ms, zone)} ${clock}${beforeMs === null ? ` ${zoneText(zone, ms)}` : ''}`
}
