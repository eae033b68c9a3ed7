// Shows the state of the service to everyone, and its metrics to readers with the monitoring token.

import { useState } from 'preact/hooks'
import type { MonitoringHistory, MonitoringStatus } from '../../src/client/backbook.d.ts'
import { askServer } from '../data/ask.ts'
import { usePolled } from '../find/polled.ts'
import {
  componentText,
  failedText,
  figureText,
  OVERALL,
  pastDay,
  pastText,
  recordedText,
  STATES,
  type State,
} from '../find/service-words.ts'
import { Days } from '../panels/days/days.tsx'
import { Legend } from '../panels/days/legend.tsx'
import { Failed } from '../panels/states.tsx'
import { go } from '../state/address.ts'
import { durationText } from '../state/time-text.ts'

const EVERY_MS = 15_000
const TOKEN = 'backbook-monitoring-token'

export function StatusPage() {
  const [token, setToken] = useState(sessionStorage.getItem(TOKEN))
  const headers: Record<string, string> = token === null ? {} : { 'x-monitoring-token': token }
  const status = usePolled(
    token ?? '',
    () => askServer<MonitoringStatus>('/monitoring/status', {}, { headers }),
    EVERY_MS,
  )
  const history = usePolled('', () => askServer<MonitoringHistory>('/monitoring/history', {}, {}), EVERY_MS)
  const useToken = (next: string | null) => {
    if (next === null) sessionStorage.removeItem(TOKEN)
    else sessionStorage.setItem(TOKEN, next)
    setToken(next)
  }
  const states = new Map(status.value?.components.map(({ name, status: state }) => [name, state]))
  const failure = status.failure ?? history.failure
  return (
    <main class="status">
      <h1>Status</h1>
      {failure !== null && <Failed failure={failure} />}
      {status.value !== null && (
        <p class={`overall ${status.value.status}`} role="status">
          <Mark state={status.value.status} /> {OVERALL[status.value.status]}
          <span class="quiet">
            version {status.value.version}, up for {durationText(status.value.uptime_seconds * 1_000)}
            {history.value !== null && `, ${failedText(history.value.failed_requests, history.value.requests)}`}
          </span>
        </p>
      )}
      {history.value?.venues.map((venue) => (
        <section key={venue.venue} aria-label={venue.venue}>
          <h2>
            <span class="venue">{venue.venue}</span>
            <span class="aside">
              {status.value !== null && recordedText(states.get('recorder'), states.get(`recorder_${venue.venue}`))}
            </span>
          </h2>
          <Past venue={venue} />
        </section>
      ))}
      {history.value !== null && <Legend hasCounts={false} />}
      {status.value !== null && <Components status={status.value} />}
      <Token token={token} isNeeded={status.value?.components[0]?.figures === undefined} useToken={useToken} />
    </main>
  )
}

function Past({ venue }: { venue: MonitoringHistory['venues'][number] }) {
  const { first_date: first, last_date: last, days } = venue
  if (first === null) return <p class="quiet">Nothing is stored of it.</p>
  return (
    <>
      <p class="quiet">
        Stored since {first}, the newest day is {last}. {pastText(days)}.
      </p>
      {days.length > 0 && (
        <Days
          label={`The last days of ${venue.venue}`}
          layout="strip"
          days={days.map(pastDay)}
          chosen={null}
          onChoose={(date) => go({ page: 'start', date })}
        />
      )}
    </>
  )
}

function Components({ status }: { status: MonitoringStatus }) {
  return (
    <section aria-label="Parts">
      <h2>Parts</h2>
      <table class="list">
        <tbody>
          {status.components.map(({ name, status: state, figures }) => (
            <tr key={name}>
              <th scope="row">{componentText(name)}</th>
              <td class="state">
                <Mark state={state} /> {STATES[state]}
              </td>
              <td class="figures quiet">
                {Object.entries(figures ?? {}).map(([figure, value]) => (
                  <span key={figure}>
                    {figure.replace(/_(?:seconds|bytes|ms|timestamp)(?=_|$)/, '').replaceAll('_', ' ')}{' '}
                    <b>{figureText(figure, value)}</b>
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const SIGNS: Record<State, string> = { ok: '●', degraded: '▲', down: '■', idle: '○' }

const Mark = ({ state }: { state: State }) => (
  <span class={`mark ${state}`} aria-hidden="true">
    {SIGNS[state]}
  </span>
)

type TokenProps = { token: string | null; isNeeded: boolean; useToken: (token: string | null) => void }

function Token({ token, isNeeded, useToken }: TokenProps) {
  if (!isNeeded && token === null) return null
  if (!isNeeded)
    return (
      <p class="quiet">
        You see the numbers because of a monitoring token.{' '}
        <button type="button" onClick={() => useToken(null)}>
          Forget it
        </button>
      </p>
    )
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        useToken(String(new FormData(event.currentTarget).get('token')).trim())
      }}
    >
      <label for="monitoring-token">Monitoring token, for the numbers</label>
      <span class="row">
        <input id="monitoring-token" name="token" type="password" autoComplete="off" required />
        <button type="submit">Show them</button>
      </span>
      {token !== null && <p role="alert">That is not this server’s monitoring token.</p>}
    </form>
  )
}
