// Fields of documented answers as TypeBox schemas, in the dialect of OpenAPI 3.0: each has a description with its unit,
// and an example.

import {
  type Static,
  type TNumber,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'

export type Nullable<T extends TSchema> = TUnsafe<Static<T> | null>

/** Marks a schema as nullable, because OpenAPI 3.0 has no type "null". */
export const orNull = <T extends TSchema>(schema: T): Nullable<T> =>
  Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })

/** A schema that the document lists once under this name, however often it is used. */
export const named = <T extends TProperties>(name: string, description: string, properties: T) =>
  Type.Object(properties, { $id: name, description })

export const text = (description: string, example: string): TString => Type.String({ description, example })

export const choice = <T extends string>(choices: readonly T[], description: string): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: choices, description, example: choices[0] })

export const flag = (description: string, example: boolean) => Type.Boolean({ description, example })

/** A whole number from 0, such as a count. */
export const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, example })

export const whole = (description: string, example: number) => Type.Integer({ description, example })

export const amount = (description: string, example: number): TNumber => Type.Number({ description, example })

export const unixMs = (description: string, example = 1784505600320) =>
  Type.Integer({ description: `${description}: Unix time, ms, UTC`, example })

export const day = (description: string, example = '2026-07-20') =>
  Type.String({ format: 'date', description: `${description}: a UTC day`, example })

/** RFC 3339 with a zone. */
export const instant = (description: string, example = '2026-11-21T10:54:05.978Z') =>
  Type.String({ format: 'date-time', description: `${description}: RFC 3339, UTC`, example })
