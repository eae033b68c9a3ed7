// Parses JSON, and keeps the digits of its numbers exactly as they are in the text.

import { isObject, type JsonObject } from './described-message.ts'

/** A number made by `JSON.rawJSON`, which `JSON.stringify` prints unchanged. */
type RawNumber = { rawJSON: string }
type ExactJson = {
  parse(text: string, revive: (key: string, value: unknown, context: { source: string }) => unknown): unknown
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

// Part of JavaScript since 2025, but not yet in the runtime's types.
const exact = JSON as unknown as ExactJson

export const parseExactly = (text: string): JsonObject =>
  exact.parse(text, (_, value, { source }) => (typeof value === 'number' ? exact.rawJSON(source) : value)) as JsonObject

/** Returns a text, or a number as it was printed; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return exact.isRawJSON(value) ? value.rawJSON : undefined
}

export const isJsonObject = (value: unknown): value is JsonObject => isObject(value) && !exact.isRawJSON(value)
