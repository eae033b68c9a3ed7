// The kinds of settings, as TypeBox schemas that hold a setting's documentation in addition to its type. The program's
// settings and those of record.toml are declared with these kinds.

import {
  type TArray,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TOptional,
  type TSchema,
  type TString,
  Type,
} from '@sinclair/typebox'

/** What each setting has besides its type. */
export type Words = {
  description: string
  /** The values that the setting accepts, in words that complete the sentence "… must be". */
  accepts: string
  /** The default: a value, a function, or null for none. */
  unlessGiven: number | string | boolean | readonly string[] | ((known: Known) => number) | null
  /** Describes the default if `unlessGiven` is a function or null. */
  otherwise?: string
  /** Returns true if the text is valid. Checks only what the schema cannot express. */
  isAccepted?: (text: string) => boolean
  /** `all`: the value is never printed. `password`: the password in the address is never printed. */
  secret?: 'all' | 'password'
}
/** The input of a function that computes a default. */
export type Known = { processors: number; values: Readonly<Record<string, unknown>> }

/** The names under which a setting can also be given: a flag and a variable. */
export type Names = {
  variable: string
  /** Another variable, read if `variable` is not set. */
  otherVariable?: string
  /** The name of the value in the help, such as `<port>`. */
  placeholder: string
  choices?: readonly string[]
}

/** A function that makes a setting, with names or without. */
type Kind<Schema extends TSchema, Given> = {
  (words: Given & Names): Schema & Words & Names
  (words: Given): Schema & Words
}

/** Returns a description of the default. */
export const defaultWords = ({ unlessGiven, otherwise }: Words): string =>
  otherwise ?? (unlessGiven === null ? 'none' : String(unlessGiven))

/** Accepts only these words; shells complete them. */
export const oneOf = (...choices: string[]) => ({ choices, pattern: `^(${choices.join('|')})$` })

type Form = { minLength?: number; pattern?: string }
type Range = Omit<Words, 'accepts'> & { minimum: number; maximum: number }
type Whole = Range & { unlessGiven: number | ((known: Known) => number) }
type Decimal = Range & { unlessGiven: number }
type Choice = Omit<Words, 'accepts'> & { unlessGiven: boolean }
type TextList = Omit<Words, 'unlessGiven'> & Form

/** TypeBox keeps unknown fields of a schema, but its types do not include them. */
const kind = <Schema extends TSchema, Given>(make: (words: Given) => TSchema) => make as unknown as Kind<Schema, Given>

export const text = kind<TString, Words & Form & { unlessGiven: string }>((words) => Type.String(words))
export const optionalText = kind<TOptional<TString>, Words & Form & { unlessGiven: null }>((words) =>
  Type.Optional(Type.String(words)),
)
export const whole = kind<TInteger, Whole>((words) =>
  Type.Integer({ ...words, accepts: `a whole number from ${words.minimum} to ${words.maximum}` }),
)
export const decimal = kind<TNumber, Decimal>((words) =>
  Type.Number({ ...words, accepts: `a number from ${words.minimum} to ${words.maximum}` }),
)
export const yesOrNo = kind<TBoolean, Choice>((words) => Type.Boolean({ ...words, accepts: 'true or false' }))
export const texts = kind<TArray<TString>, TextList>(({ minLength = 0, pattern, ...words }) => {
  const items = Type.String({ minLength, ...(pattern !== undefined && { pattern }) })
  return Type.Array(items, { uniqueItems: true, unlessGiven: [], otherwise: 'none', ...words })
})

export const ORIGINS = {
  placeholder: '<origins>',
  pattern: '^(\\*|https?://[^\\s/,;?#@]+(\\s*,\\s*https?://[^\\s/,;?#@]+)*)$',
  isAccepted: (given: string) => given === '*' || given.split(',').every((origin) => URL.canParse(origin.trim())),
  accepts: '*, or origins such as https://charts.example.com, separated by commas',
}

export const HTTP_ADDRESS = { pattern: '^https?://.+', accepts: 'an http or https address', placeholder: '<url>' }
export const TOKEN = { minLength: 8, accepts: 'at least 8 characters', placeholder: '<token>', secret: 'all' } as const
