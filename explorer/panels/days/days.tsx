// A list of days to choose from, coloured by the number of records and marked if data is missing or doubtful.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Day, type Layout, monthName, movedDay, strengthOf, weeksOf } from '../../find/calendar.ts'
import { countedText } from '../../state/number-text.ts'

/** Distance between the left edges of two cells, as in styles/days.css. */
const PITCH_PX = { weeks: 24, strip: 28 }

type DaysProps = {
  label: string
  days: readonly Day[]
  chosen: string | null
  layout: Layout
  onChoose: (date: string) => void
}

export function Days({ label, days: given, chosen, layout, onChoose }: DaysProps) {
  const place = useRef<HTMLFieldSetElement>(null)
  const weeks = useMemo(() => (layout === 'weeks' ? weeksOf(given) : null), [given, layout])
  const days = weeks?.days.map(({ day }) => day) ?? given
  const most = Math.max(1, ...days.map(({ records }) => records ?? 0))
  const chosenIndex = days.findIndex(({ date }) => date === chosen)
  const tabStop = chosenIndex === -1 ? days.length - 1 : chosenIndex
  useEffect(() => {
    // `scrollIntoView` would also move the page. Scroll by whole cells: a date that is cut off looks like another date.
    const [box, cell] = [place.current!, buttonsIn(place.current!)[tabStop]]
    const pitch = PITCH_PX[layout]
    if (cell !== undefined)
      box.scrollLeft = Math.round((cell.offsetLeft - (box.clientWidth - cell.offsetWidth) / 2) / pitch) * pitch
  }, [tabStop, days.length])
  const move = (event: KeyboardEvent) => {
    const buttons = buttonsIn(place.current!)
    const next = movedDay(buttons.indexOf(event.target as HTMLButtonElement), event.key, { layout, count: days.length })
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    buttons[next]?.focus()
  }
  const button = (day: Day, index: number, style = {}) => (
    <button
      key={day.date}
      type="button"
      class={`${day.condition} strength-${strengthOf(day.records, most)}`}
      aria-label={textOf(day)}
      title={textOf(day)}
      tabIndex={index === tabStop ? 0 : -1}
      {...(day.date === chosen && { 'aria-current': 'date' })}
      style={style}
      onClick={() => onChoose(day.date)}
    >
      {day.date.slice(8)}
    </button>
  )
  return (
    <fieldset class={`days ${layout}`} aria-label={label} ref={place} onKeyDown={move}>
      {weeks?.months.map(({ text, column, end }) => (
        <span key={`${column}`} class="month" aria-hidden="true" style={{ gridColumn: `${column} / ${end}` }}>
          <span>{text}</span>
        </span>
      ))}
      {weeks?.skipped.map(({ column, weeks: count, from, to }) => (
        <span key={from} class="skipped" title={`${from} to ${to}: nothing stored`} style={{ gridColumn: column }}>
          {countedText(count, 'week')} without records
        </span>
      ))}
      {weeks?.days.map(({ day, column, weekday }, i) =>
        button(day, i, { gridRow: weekday + FIRST_ROW, gridColumn: column }),
      )}
      {weeks === null && days.flatMap((day, index) => [...stripNames(day, days[index - 1]), button(day, index)])}
    </fieldset>
  )
}

/** The first row of days, below the row of months. */
const FIRST_ROW = 2

const buttonsIn = (place: HTMLElement): HTMLButtonElement[] => [...place.querySelectorAll('button')]

/** Returns labels for the year and the month, each only if it differs from the previous day's. */
function stripNames({ date }: Day, before: Day | undefined) {
  const names = [
    ...(before?.date.slice(0, 4) === date.slice(0, 4) ? [] : [date.slice(0, 4)]),
    ...(before?.date.slice(0, 7) === date.slice(0, 7) ? [] : [monthName(date)]),
  ]
  return names.map((name) => (
    <span key={`${date} ${name}`} class="month" aria-hidden="true">
      {name}
    </span>
  ))
}

function textOf({ date, condition, records, faults }: Day): string {
  if (condition === 'missing') return `${date}: nothing stored`
  const words = [condition, ...(records === null ? [] : [countedText(records, 'record')])]
  return `${date}: ${words.join(', ')}${faults === '' ? '' : `, ${faults}`}`
}
