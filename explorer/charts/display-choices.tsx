// How the chart looks: which size of a column is seen, colours and cut-offs, time zone, unit of prices.

import { OneOf, SomeOf } from '../panels/one-of.tsx'
import { adjust } from '../state/address.ts'
import { sizeText } from '../state/number-text.ts'
import { chooseUnit, unit } from '../state/units.ts'
import { AGGREGATE_NAMES, AGGREGATES, AXES, PALETTES, PARTS, STUDIES, WITHIN } from '../state/view.ts'
import type { MenuProps } from './display-menu.tsx'

const ZONES = [
  ...['UTC', 'local', 'America/New_York', 'America/Chicago', 'America/Los_Angeles'],
  ...['Europe/London', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Singapore', 'Asia/Tokyo'],
]
const PALETTE_NAMES = { sides: 'by side', viridis: 'viridis', grey: 'grey' } as const
const AXES_NAMES = { right: 'right', both: 'on both sides' } as const
const STUDY_NAMES = {
  vwap: { name: 'VWAP', title: 'What contracts cost on average, since the left edge' },
  delta: { name: 'delta', title: 'What takers bought less what they sold, since the left edge' },
  imbalance: { name: 'imbalance', title: 'Best bid size less best ask size, as a share of both' },
  depth: { name: 'depth', title: 'What rests near the mid' },
  profile: { name: 'volume at price', title: 'What was traded at each price, at the right edge' },
} as const
const PART_NAMES = {
  spread: { name: 'spread', title: 'The spread, below the prices' },
  quotes: { name: 'quotes', title: 'How many quotes there were' },
  volume: { name: 'volume', title: 'What was bought and sold' },
  ladder: { name: 'ladder', title: 'The book beside the chart' },
} as const
const WITHIN_TEXTS = ['1', '2', '5', '10'] as const
const WITHIN_NAMES = { 1: '1¢', 2: '2¢', 5: '5¢', 10: '10¢' } as const
const UNITS = ['cents', 'dollars'] as const

export function DisplayChoices({ stretch, scale }: MenuProps) {
  const zones = ZONES.includes(stretch.zone) ? ZONES : [...ZONES, stretch.zone]
  const { cutOff, studies, within, hidden } = stretch
  const cut = (change: Partial<typeof cutOff>) => adjust({ cutOff: { ...cutOff, ...change } })
  return (
    <div class="menu-body">
      <Choice
        name="Size shown"
        all={AGGREGATES}
        names={AGGREGATE_NAMES}
        chosen={stretch.aggregate}
        choose={(aggregate) => adjust({ aggregate })}
      />
      <Choice
        name="Colours"
        all={PALETTES}
        names={PALETTE_NAMES}
        chosen={stretch.palette}
        choose={(palette) => adjust({ palette })}
      />
      <SizeField name="Draw sizes from" value={cutOff.lowest} auto={0} set={(lowest) => cut({ lowest })} />
      <SizeField
        name="Brightest from"
        value={cutOff.highest}
        auto={scale.highest}
        set={(highest) => cut({ highest })}
      />
      <SizeField
        name="Trades from"
        value={stretch.leastTrade}
        auto={0}
        set={(size) => adjust({ leastTrade: size === 0 ? null : size })}
      />
      <Several
        name="Parts"
        all={PARTS}
        names={PART_NAMES}
        chosen={PARTS.filter((each) => !hidden.includes(each))}
        choose={(parts) => adjust({ hidden: PARTS.filter((each) => !parts.includes(each)) })}
      />
      <Several
        name="Studies"
        all={STUDIES}
        names={STUDY_NAMES}
        chosen={studies}
        choose={(several) => adjust({ studies: several })}
      />
      {studies.includes('depth') && (
        <Choice
          name="Depth within"
          all={WITHIN_TEXTS}
          names={WITHIN_NAMES}
          chosen={`${within}`}
          choose={(text) => adjust({ within: WITHIN.find((cents) => `${cents}` === text)! })}
        />
      )}
      <label>
        <span>Time zone</span>
        <select value={stretch.zone} onChange={({ currentTarget }) => adjust({ zone: currentTarget.value })}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone === 'local' ? `${Intl.DateTimeFormat().resolvedOptions().timeZone} (here)` : zone}
            </option>
          ))}
        </select>
      </label>
      <Choice
        name="Prices stand"
        all={AXES}
        names={AXES_NAMES}
        chosen={stretch.axes}
        choose={(axes) => adjust({ axes })}
      />
      <Choice
        name="Prices in"
        all={UNITS}
        names={{ cents: 'cents', dollars: 'dollars' }}
        chosen={unit.value}
        choose={chooseUnit}
      />
    </div>
  )
}

type ChoiceProps<T extends string> = {
  name: string
  all: readonly T[]
  names: Readonly<Record<T, string>>
  chosen: T
  choose: (one: T) => void
}

const Choice = <T extends string>({ name, all, names, chosen, choose }: ChoiceProps<T>) => (
  <fieldset>
    <legend>{name}</legend>
    <OneOf {...{ all, chosen, choose }} nameOf={(one) => names[one]} />
  </fieldset>
)

type SeveralProps<T extends string> = {
  name: string
  all: readonly T[]
  names: Readonly<Record<T, { name: string; title: string }>>
  chosen: readonly T[]
  choose: (several: T[]) => void
}

const Several = <T extends string>({ name, all, names, chosen, choose }: SeveralProps<T>) => (
  <fieldset>
    <legend>{name}</legend>
    <SomeOf {...{ all, chosen, choose }} nameOf={(one) => names[one].name} titleOf={(one) => names[one].title} />
  </fieldset>
)

/** Contracts, as a reader writes them; null for what the page chooses. */
function SizeField({ name, value, auto, set }: { name: string; value: number | null; auto: number; set: Setter }) {
  const choose = (text: string) => {
    const size = text.trim() === '' ? null : Number(text)
    if (size === null || (Number.isFinite(size) && size >= 0)) set(size)
  }
  return (
    <label>
      <span>{name}</span>
      <input
        type="number"
        min="0"
        step="any"
        placeholder={sizeText(auto)}
        value={value ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </label>
  )
}

type Setter = (size: number | null) => void
