// Shows a user's usage: this month's calls, requests by day, and the newest requests.

import type { Key, UserUsage } from '../../find/management.ts'
import { usedDays } from '../../find/usage-days.ts'
import { countedText, countText } from '../../state/number-text.ts'
import { Heads } from '../heads.tsx'

type Props = { used: UserUsage; days: number; keys: readonly Key[] }

export function UsagePanel({ used: { usage, hours, recent }, days, keys }: Props) {
  const byDay = usedDays(hours, days, Date.now())
  const most = Math.max(1, ...byDay.map(({ count }) => count))
  const all = byDay.reduce((sum, { count }) => sum + count, 0)
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? id
  return (
    <section aria-label="Usage">
      <h2>Usage</h2>
      <p>
        Plan {usage.tier_name}: {countText(usage.api_calls)}
        {usage.limit === null
          ? ` calls in ${usage.month}, without a limit.`
          : ` of ${countText(usage.limit)} calls in ${usage.month}.`}
      </p>
      {usage.limit !== null && (
        <progress max={usage.limit} value={usage.api_calls} aria-label="Calls of this month">
          {usage.api_calls}
        </progress>
      )}
      <h3>
        {countedText(all, 'request')} in {days} days
      </h3>
      <ul class="used">
        {byDay.map(({ date, count }, index) => (
          <li key={date} title={`${date}: ${countedText(count, 'request')}`}>
            <span class="unseen">{`${date}: ${countedText(count, 'request')}`}</span>
            <span class="bar" style={{ height: `${(100 * count) / most}%` }} />
            {index % 7 === 0 && (
              <span class="at" aria-hidden="true">
                {date.slice(5)}
              </span>
            )}
          </li>
        ))}
      </ul>
      <h3>The newest requests</h3>
      {recent.length === 0 && <p class="quiet">None yet.</p>}
      {recent.length > 0 && (
        <div class="scrolled-aside">
          <table class="list">
            <Heads names={['time (UTC)', 'request', 'status', 'ms', 'key']} numbers={['ms']} />
            <tbody>
              {recent.map(({ time, method, path, status, duration_ms, key_id }, index) => (
                <tr key={`${time} ${index}`}>
                  <td>{time.slice(0, 19).replace('T', ' ')}</td>
                  <td class="mono">
                    {method} {path}
                  </td>
                  <td>{status}</td>
                  <td class="number">{countText(Math.round(duration_ms * 10) / 10)}</td>
                  <td>{nameOf(key_id)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
