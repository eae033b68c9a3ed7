// Days to choose one of, coloured by how much is stored of each and marked where something is wrong with it.

import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Day, type Layout, movedDay, strengthOf, weekdayOf } from '../../find/calendar.ts'
import { countedText } from '../../state/number-text.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function Days({
  label,
  days,
  chosen,
  layout,
  onChoose,
}: {
  label: string
  days: readonly Day[]
  chosen: string | null
  layout: Layout
  onChoose: (date: string) => void
}) {
  const place = useRef<HTMLFieldSetElement>(null)
  const most = Math.max(1, ...days.map(({ records }) => records ?? 0))
  const chosenIndex = days.findIndex(({ date }) => date === chosen)
  const tabStop = chosenIndex === -1 ? days.length - 1 : chosenIndex
  useEffect(() => {
    // Not `scrollIntoView`, which would also move the page.
    const [box, cell] = [place.current!, buttonsIn(place.current!)[tabStop]]
    if (cell !== undefined) box.scrollLeft = cell.offsetLeft - (box.clientWidth - cell.offsetWidth) / 2
  }, [tabStop, days.length])
  const move = (event: KeyboardEvent) => {
    const buttons = buttonsIn(place.current!)
    const next = movedDay(buttons.indexOf(event.target as HTMLButtonElement), event.key, { layout, count: days.length })
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    buttons[next]?.focus()
  }
  const offset = layout === 'weeks' && days[0] !== undefined ? weekdayOf(days[0].date) : 0
  return (
    <fieldset class={`days ${layout}`} aria-label={label} ref={place} onKeyDown={move}>
      {days.map((day, index) => {
        const { date, condition, records } = day
        return (
          <Fragment key={date}>
            {(index === 0 || date.endsWith('-01')) && (
              <span
                class="month"
                aria-hidden="true"
                style={layout === 'weeks' ? { gridColumn: Math.floor((index + offset) / 7) + 1 } : {}}
              >
                {monthOf(date, index === 0)}
              </span>
            )}
            <button
              type="button"
              class={`${condition} strength-${strengthOf(records, most)}`}
              aria-label={toldOf(day)}
              title={toldOf(day)}
              tabIndex={index === tabStop ? 0 : -1}
              {...(date === chosen && { 'aria-current': 'date' })}
              style={layout === 'weeks' ? placeOf(index + offset) : {}}
              onClick={() => onChoose(date)}
            >
              {date.slice(8)}
            </button>
          </Fragment>
        )
      })}
    </fieldset>
  )
}

/** Below the row of months. */
const placeOf = (index: number) => ({ gridRow: (index % 7) + 2, gridColumn: Math.floor(index / 7) + 1 })

const buttonsIn = (place: HTMLElement): HTMLButtonElement[] => [...place.querySelectorAll('button')]

/** With the year where that is not known from the month before. */
function monthOf(date: string, isFirst: boolean): string {
  const month = MONTHS[Number(date.slice(5, 7)) - 1]!
  return isFirst || date.slice(5, 7) === '01' ? `${month} ${date.slice(0, 4)}` : month
}

function toldOf({ date, condition, records, faults }: Day): string {
  if (condition === 'missing') return `${date}: nothing stored`
  return `${date}: ${[condition, ...(records === null ? [] : [countedText(records, 'record')])].join(', ')}${faults === '' ? '' : `, ${faults}`}`
}
