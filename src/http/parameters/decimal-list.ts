// A parameter of several decimals, such as `0.01,0.02,0.05`.

import { type Parameter, parameter } from './parameter.ts'

const DECIMAL = /^(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,6})?$/
const COUNT_MAX = 8

type Range = {
  min: number
  max: number
  /** True if `min` itself is excluded. */
  isAboveMin?: boolean
}

/** At most eight different decimals. */
export function decimalList(
  { min, max, isAboveMin = false }: Range,
  words: { description: string; unlessGiven?: string; example?: string },
): Parameter {
  const isIn = (value: number) => value <= max && (isAboveMin ? value > min : value >= min)
  const range = isAboveMin ? `above ${min} and up to ${max}` : `from ${min} to ${max}`
  return parameter({
    accepts: `up to ${COUNT_MAX} different decimals ${range} with commas between, each with at most six places`,
    matches: (text) => {
      const given = text.split(',')
      const values = new Set(given.map(Number))
      const isEach = given.every((each) => DECIMAL.test(each) && isIn(Number(each)))
      return isEach && given.length <= COUNT_MAX && values.size === given.length
    },
    ...words,
  })
}
