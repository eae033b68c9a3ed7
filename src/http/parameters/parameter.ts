// A query parameter as a TypeBox schema: a predicate over its text, and a description of what it accepts, which the
// documentation and the error message share. Values stay text; the request's plan converts them.

import { Kind, type TSchema, type TUnsafe, TypeRegistry } from '@sinclair/typebox'
import { t } from 'elysia'
import { dateStartMs } from '../../../storage/units.ts'
import { quoted } from '../server/request-failure.ts'

const PARAMETER_KIND = 'BackbookParameter'
const DIGITS = /^[0-9]{1,16}$/

/** The definition of a parameter: its predicate, and its documentation. */
type ParameterRule = {
  matches: (text: string) => boolean
  /** Completes the sentence "… must be …". */
  accepts: string
  description?: string
  example?: string | number
  /** The default. Documented but not filled in: with the key `default` the framework would add it to the query. */
  unlessGiven?: string | number
  type?: 'string' | 'integer'
  /** The types that the value may have, in place of `type`. */
  oneOf?: readonly { type: 'string' | 'integer' }[]
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
  enum?: readonly string[]
  /** Returns the part of a wrong value to quote, such as the wrong entry of a list. If omitted, the whole value is
   *  quoted. */
  wrongIn?: (text: string) => string
  /** In a body, the value may also be a list of texts, which equals the texts joined with commas. */
  isList?: boolean
  /** The endpoint, not the schema, checks that this required parameter is present: it can write a better message. */
  isMissedLater?: boolean
}
type Words = Pick<ParameterRule, 'description' | 'example' | 'unlessGiven'>
export type Parameter = TUnsafe<string> & ParameterRule

TypeRegistry.Set(PARAMETER_KIND, (schema: Parameter, value: unknown) => {
  const isTextList = schema.isList === true && Array.isArray(value) && value.every((each) => typeof each === 'string')
  const text = isTextList ? value.join(',') : value
  return typeof text === 'string' && schema.matches(text)
})

export function parameter(rule: ParameterRule): Parameter {
  const type = rule.oneOf === undefined ? { type: 'string' } : {}
  return t.Unsafe<string>({ [Kind]: PARAMETER_KIND, ...type, ...rule }) as Parameter
}

export const isParameter = (schema: TSchema): schema is Parameter => schema[Kind] === PARAMETER_KIND

/** A whole number in decimal digits only: no sign, no exponent, no blank. */
export function wholeNumber(range: { min: number; max: number }, words: Words = {}): Parameter {
  return parameter({
    type: 'integer',
    minimum: range.min,
    maximum: range.max,
    accepts: `a whole number from ${range.min} to ${range.max}`,
    matches: (text) => DIGITS.test(text) && Number(text) >= range.min && Number(text) <= range.max,
    ...words,
  })
}

export function patternText(pattern: RegExp, accepts: string, words: Words = {}): Parameter {
  return parameter({ pattern: pattern.source, accepts, matches: (text) => pattern.test(text), ...words })
}

/** A list separated by commas. `entry` is the pattern of one entry, `accepts` describes it. */
export function listOf(
  { entry, accepts, plural, max }: { entry: string; accepts: string; plural: string; max: number },
  words: Words,
): Parameter {
  const pattern = new RegExp(`^${entry}$`)
  const wrongOf = (entries: string[]) => entries.find((each) => !pattern.test(each))
  return parameter({
    pattern: `^${entry}(?:,${entry}){0,${max - 1}}$`,
    accepts: `1 to ${max} ${plural} with commas between, each ${accepts}`,
    matches: (text) => text.split(',').length <= max && wrongOf(text.split(',')) === undefined,
    wrongIn: (text) => wrongOf(text.split(',')) ?? `${text.split(',').length} ${plural}`,
    ...words,
  })
}

/** Returns the choices as `a, b or c`. */
export const eitherOf = (choices: readonly string[]): string => choices.join(', ').replace(/, ([^,]*)$/, ' or $1')

/** The message for an invalid value; follows the name of its field. */
export const mustBe = (accepts: string, given: unknown): string => `must be ${accepts}, got ${quoted(given)}`

/** The message for a value that a parameter refuses; quotes its wrong part. */
export const refusedBy = ({ accepts, wrongIn }: Parameter, given: unknown): string =>
  mustBe(accepts, typeof given === 'string' ? (wrongIn?.(given) ?? given) : given)

/** The message for a missing value; follows the name of its field. */
export const requiredAs = (accepts: string): string => `is required and must be ${accepts}`

/** The message for an unknown name; follows the name. */
export const unknownParameter = (known: readonly string[]): string =>
  `is not a parameter: this endpoint takes ${known.length === 0 ? 'none' : known.join(', ')}`

export function oneOf(choices: readonly string[], words: Words = {}): Parameter {
  return parameter({ enum: choices, accepts: eitherOf(choices), matches: (text) => choices.includes(text), ...words })
}

/** A calendar day that exists, from 1970 on. */
export function utcDay(words: Words = {}): Parameter {
  return parameter({
    format: 'date',
    accepts: 'a UTC date written YYYY-MM-DD, from 1970-01-01 on',
    matches: isUtcDay,
    ...words,
  })
}

export function isUtcDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) || text < '1970-01-01') return false
  const startMs = dateStartMs(text)
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(text)
}
