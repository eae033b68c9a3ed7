// The kinds of settings that record.toml has. Each setting is declared once, with its type, its default and its words.

import {
  type TArray,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TOptional,
  type TString,
  Type,
} from '@sinclair/typebox'

/** What each setting has besides its type. */
export type Words = {
  description: string
  /** Completes the sentence "… must be". */
  accepts: string
  unlessGiven: Value
  /** The default in words, where the value does not tell. */
  otherwise?: string
  /** Of a text that has the form: what a form cannot say. */
  isAccepted?: (text: string) => boolean
}
export type Value = string | number | boolean | readonly string[] | null

type Given<Default extends Value> = { unlessGiven: Default; description: string; otherwise?: string }

/** TypeBox keeps fields of a schema that it does not know, but its types do not show them. */
export const whole = (minimum: number, maximum: number, words: Given<number>) =>
  Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}`, ...words }) as TInteger &
    Words

/** Seconds, or requests a second: decimals are accepted. */
export const decimal = (minimum: number, maximum: number, words: Given<number>) =>
  Type.Number({ minimum, maximum, accepts: `a number from ${minimum} to ${maximum}`, ...words }) as TNumber & Words

export const yesOrNo = (words: Given<boolean>) =>
  Type.Boolean({ accepts: 'true or false', ...words }) as TBoolean & Words

type TextRule = { pattern?: string; minLength?: number; accepts: string; isAccepted?: (text: string) => boolean }

export const optionalText = (rule: TextRule, words: Omit<Given<null>, 'unlessGiven'>) =>
  Type.Optional(Type.String({ ...rule, unlessGiven: null, ...words })) as TOptional<TString> & Words

export const texts = (rule: TextRule, words: Omit<Given<null>, 'unlessGiven'>) => {
  const { accepts, ...pattern } = rule
  const items = Type.String(pattern)
  const list = { uniqueItems: true, accepts, unlessGiven: [], otherwise: 'none', ...words }
  return Type.Array(items, list) as TArray<TString> & Words
}

/** A name or a password would be shown where the address is. */
function isAddress(text: string): boolean {
  if (text === '') return true
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username + password === ''
}

/** An empty text says that there is no such address. Paths are added to it. */
export const HTTP_ADDRESS = {
  pattern: '^(https?://[^\\s?#]+)?$',
  isAccepted: isAddress,
  accepts: 'an http or https address without a user name, "?" or "#", or "" for none',
}
export const SOCKET_ADDRESS = {
  pattern: '^wss?://[^\\s#]+$',
  isAccepted: isAddress,
  accepts: 'a ws or wss address without a user name or "#"',
}
