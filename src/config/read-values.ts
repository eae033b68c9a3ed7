// Checks the given values of settings, and adds the defaults.

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Errors, ValueErrorType } from '@sinclair/typebox/errors'
import type { Words } from './setting-kinds.ts'
import { similarName } from './similar-name.ts'

export type GivenValue = {
  value: unknown
  /** The name of the flag, the variable or the key; begins the error message of a wrong value. */
  called: string
  isInFile: boolean
}

/** `wrong` collects the errors, as sentences. */
type Reading = { wrong: string[]; processors?: number }

/** Reads the settings of a schema. Leaves out the settings that have neither a value nor a default. */
export function readValues<Schema extends TObject>(
  schema: Schema,
  givenValue: (name: keyof Schema['properties'] & string) => GivenValue | undefined,
  { wrong, processors = 1 }: Reading,
): Static<Schema> {
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const setting = property as TSchema & Words
    const given = givenValue(name)
    const problem = given && problemOf(setting, given)
    if (problem !== undefined) wrong.push(`${given!.called} ${problem}`)
    const { unlessGiven } = setting
    const byDefault = typeof unlessGiven === 'function' ? unlessGiven({ processors, values }) : unlessGiven
    const value = given === undefined ? byDefault : given.value
    if (value !== null) values[name] = value
  }
  return values as Static<Schema>
}

/** Returns what is wrong with a value, worded to follow the setting's name in a sentence; undefined if the value is
 *  accepted. */
function problemOf(setting: TSchema & Words, { value, isInFile }: GivenValue): string | undefined {
  const errors = [...Errors(setting, value)]
  if (errors.length > 0 && errors.every(({ type }) => type === ValueErrorType.ArrayUniqueItems)) {
    const twice = (value as unknown[]).find((each, i, all) => all.indexOf(each) < i)
    return `must name each only once, got ${JSON.stringify(twice)} more than once`
  }
  if (errors.length === 0 && (setting.isAccepted?.(value as string) ?? true)) return undefined
  const hasQuotes = isInFile && typeof value === 'string' && ['integer', 'number', 'boolean'].includes(setting['type'])
  const got = setting.secret === undefined ? `, got ${shown(value)}` : ''
  return `must be ${setting.accepts}${hasQuotes ? ' without quotes' : ''}${got}`
}

/** Masks keys and passwords in addresses. Omits the content of a section, which may be a secret. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return 'a section'
  return JSON.stringify(value, (_, each) => (typeof each === 'string' ? withoutKeys(each) : each))
}

const withoutKeys = (text: string): string =>
  text.replace(/([?&][^=&]*key[^=&]*=)[^&]*/gi, '$1********').replace(/:\/\/.*@/, '://***@')

export const TYPOS_MAX = 2

/** Suggests the closest known name for an unknown one, else adds `advice`. */
export function unknownSetting(name: string, called: string, { names, advice }: { names: string[]; advice: string }) {
  const similar = similarName(name.toLowerCase(), names, TYPOS_MAX)
  return `unknown setting ${called}: ${similar === undefined ? advice : `did you mean ${similar}?`}`
}
