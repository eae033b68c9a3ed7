// Prints the result of a run as one table, with a line for each figure.

import type { MeasuredFigure, MeasuredTopic } from './run-rounds.ts'
import type { Target, Unit } from './topic.ts'

const NAME_COLUMNS = 66
const VALUE_COLUMNS = 22

export function linesOf({ topic, title, figures, answers, notes }: MeasuredTopic): string[] {
  const answered = Object.entries(answers).map(([name, value]) => `${name} ${value}`)
  return [
    `${topic}: ${title}`,
    ...figures.map(figureLine),
    ...(answered.length === 0 ? [] : [`  answered: ${answered.join(', ')}`]),
    ...notes.map((note) => `  note: ${note}`),
  ]
}

function figureLine(figure: MeasuredFigure): string {
  const { name, value, values, unit, target } = figure
  const range = values.length < 2 ? '' : `${printed(Math.min(...values), unit)} … ${printed(Math.max(...values), unit)}`
  const figureText = `${printed(value, unit)}${suffixOf(unit)}`.padEnd(VALUE_COLUMNS)
  const targetNote = target === undefined ? '' : `  ${isMet(figure) ? 'met' : 'MISSED'}: ${targetText(target)}`
  return `  ${name.padEnd(NAME_COLUMNS)} ${figureText} ${range.padEnd(VALUE_COLUMNS)}${targetNote}`.trimEnd()
}

export function isMet({ value, target }: Pick<MeasuredFigure, 'value' | 'target'>): boolean {
  if (target === undefined) return true
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

export const targetText = (target: Target): string =>
  'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`

function printed(value: number, unit: Unit): string {
  if (unit === 'records/s') return `${(value / 1e6).toFixed(2)}`
  if (unit === 'requests/s') return Math.round(value).toLocaleString('en-US')
  if (unit === 'ratio') return value < 0.1 ? value.toFixed(4) : value.toFixed(2)
  return value < 10 ? value.toFixed(2) : value.toFixed(1)
}

function suffixOf(unit: Unit): string {
  if (unit === 'ratio') return ' times'
  return unit === 'records/s' ? ' million records/s' : ` ${unit}`
}

/** Returns a line for each figure with its change from one revision to the other, and the answers that differ. */
export function ratioLines(before: MeasuredTopic, after: MeasuredTopic): string[] {
  const lines = before.figures.flatMap((figure) => {
    const other = after.figures.find(({ name }) => name === figure.name)
    if (other === undefined) return []
    const { name, unit } = figure
    const values = `${printed(figure.value, unit)} → ${printed(other.value, unit)}${suffixOf(unit)}`
    const ratio = `× ${(other.value / figure.value).toFixed(2)}`
    return [`  ${name.padEnd(NAME_COLUMNS)} ${values.padEnd(2 * VALUE_COLUMNS)} ${ratio}`]
  })
  const differing = Object.keys(after.answers).filter((name) => before.answers[name] !== after.answers[name])
  return [...lines, ...differing.map((name) => `  ANSWERS DIFFER: ${name}`)]
}
