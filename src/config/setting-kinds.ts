// The kinds of settings, as TypeBox schemas that carry the words and names of a setting beside its type.

import { type TInteger, type TOptional, type TString, Type } from '@sinclair/typebox'

/** What each setting has besides its type. */
export type Words = {
  variable: string
  /** Read where that one is not set. */
  otherVariable?: string
  /** Stands for the value in the help, such as `<port>`. */
  placeholder: string
  description: string
  /** Completes the sentence "… must be". */
  accepts: string
  choices?: readonly string[]
  /** The default: a value, a rule for it, or null for none. */
  unlessGiven: number | string | ((known: Known) => number) | null
  /** The default in words, where it is a rule or null. */
  otherwise?: string
  /** `all`: the value is never printed. `password`: the password in the address is never printed. */
  secret?: 'all' | 'password'
}
/** What the rule of a default may use. */
export type Known = { processors: number; values: Readonly<Record<string, unknown>> }

type Text = Words & { unlessGiven: string | null; minLength?: number; pattern?: string }

/** Accepts only these words; shells complete them. */
export const oneOf = (...choices: string[]) => ({ choices, pattern: `^(${choices.join('|')})$` })

type Whole = Words & { unlessGiven: number | ((known: Known) => number); minimum: number; maximum: number }

/** TypeBox keeps fields of a schema that it does not know, but its types do not show them. */
export const text = (words: Text & { unlessGiven: string }) => Type.String(words) as TString & Words
export const optionalText = (words: Text) => Type.Optional(Type.String(words)) as TOptional<TString> & Words
export const whole = (words: Omit<Whole, 'accepts'>) => {
  const accepts = `a whole number from ${words.minimum} to ${words.maximum}`
  return Type.Integer({ ...words, accepts }) as TInteger & Words
}

export const HTTP_ADDRESS = { pattern: '^https?://.+', accepts: 'an http or https address', placeholder: '<url>' }
export const TOKEN = { minLength: 8, accepts: 'at least 8 characters', placeholder: '<token>', secret: 'all' } as const
