// Builds the OpenAPI document from the routes: their schemas of parameters and bodies, and the answers described in
// `detail`.

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { registerSchemaPath } from '@elysiajs/swagger/utils'
import { OptionalKind, type TObject, type TSchema } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { isParameter } from '../http/parameters/parameter.ts'
import { VERSION } from '../version.ts'
import { headerComponents } from './answer-headers.ts'
import { ABOUT, TAGS } from './introduction.ts'
import { type OperationDetail, securitySchemes } from './operation.ts'
import { problemExamples } from './problem-answers.ts'

type Routes = Elysia['routes']
export type JsonSchema = {
  $ref?: string
  type?: string
  description?: string
  nullable?: boolean
  enum?: readonly (string | number)[]
  oneOf?: readonly JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  default?: unknown
  example?: unknown
}
export type OperationParameter = {
  in: 'path' | 'query' | 'header'
  name: string
  required: boolean
  description?: string
  schema: JsonSchema
}
type Content = Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { $ref: string }> }>
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: OperationParameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; headers: Record<string, { $ref: string }>; content?: Content }>
}
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string } }
  externalDocs: { description: string; url: string }
  servers: { url: string; description?: string }[]
  tags: typeof TAGS
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, object>
    examples: Record<string, object>
    securitySchemes: object
  }
}

const PREFIX = '/api/v1'

/** Lists every path once, without the prefix. The document's `servers` show that each path answers with and without
 *  the prefix. */
export function openApiDocument(routes: Routes): OpenApiDocument {
  const paths: Parameters<typeof registerSchemaPath>[0]['schema'] = {}
  for (const { path, method, hooks } of routes) {
    if (!path.startsWith(`${PREFIX}/`) || hooks?.detail?.hide) continue
    registerSchemaPath({
      schema: paths,
      path: path.slice(PREFIX.length),
      method: method as Parameters<typeof registerSchemaPath>[0]['method'],
      hook: {
        ...hooks,
        parse: 'application/json',
        query: documented(hooks?.query, { lists: false }),
        body: documented(hooks?.body, { lists: true }),
        params: documented(hooks?.params, { lists: false }),
        detail: withAnswers(hooks?.detail),
      },
      models: {},
    })
  }
  const schemas: Record<string, JsonSchema> = {}
  const named = namedOnce(asJson(paths), schemas) as OpenApiDocument['paths']
  for (const operations of Object.values(named)) for (const each of Object.values(operations)) settleBody(each)
  return {
    openapi: '3.0.3',
    info: { title: 'backbook', version: VERSION, description: ABOUT, license: { name: 'MIT' } },
    externalDocs: { description: 'The whole documentation', url: '/docs/README.md' },
    servers: [{ url: PREFIX }, { url: '/', description: 'The same without a prefix' }],
    tags: TAGS,
    paths: named,
    components: { schemas: sorted(schemas), headers: headerComponents, examples: problemExamples, securitySchemes },
  }
}

/** A route whose detail was not made by `operation` is documented by its parameters only. */
function withAnswers({ answers, ...detail }: Partial<OperationDetail> = {}): object {
  return { ...detail, responses: answers?.() ?? { default: { description: 'Not described' } } }
}

/** Renames our fields of a parameter to their names in OpenAPI. */
function documented(schema: TObject | undefined, { lists }: { lists: boolean }): TSchema | undefined {
  if (schema === undefined) return undefined
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    documentedParameter(property, lists),
  ])
  const isOptional = schema[OptionalKind] !== undefined
  const missedLater = Object.keys(schema.properties).filter((name) => schema.properties[name]?.['isMissedLater'])
  return {
    ...schema,
    ...(isOptional ? { [BODY_IS_OPTIONAL]: true } : {}),
    properties: Object.fromEntries(properties),
    ...(missedLater.length === 0 ? {} : { required: [...(schema.required ?? []), ...missedLater] }),
  }
}

function documentedParameter(schema: TSchema, lists: boolean): object {
  if (!isParameter(schema)) return schema
  const { accepts, unlessGiven, matches: _, isList, isMissedLater: __, description = '', ...rest } = schema
  const words = `${description}${description === '' ? '' : '. '}Accepted: ${accepts}`
  const value = { ...rest, ...(unlessGiven === undefined ? {} : { default: unlessGiven }) }
  if (isList !== true || !lists) return { ...value, description: words }
  return { oneOf: [value, { type: 'array', items: value }], description: words }
}

/** Marks a body as optional. The framework marks it with a symbol, and the plugin documents every body as required. */
const BODY_IS_OPTIONAL = 'x-optional'

function settleBody({ requestBody }: Operation): void {
  const schema = requestBody?.content['application/json']?.schema as Record<string, unknown> | undefined
  if (requestBody === undefined || schema?.[BODY_IS_OPTIONAL] === undefined) return
  delete schema[BODY_IS_OPTIONAL]
  requestBody.required = false
}

/** Returns the value as plain JSON, without symbols and functions. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Moves each named schema to `schemas`, and replaces it with a reference. */
function namedOnce(value: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((each) => namedOnce(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $id, ...rest } = value as Record<string, unknown>
  const own = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, namedOnce(each, schemas)]))
  if (typeof $id !== 'string') return own
  assert(schemas[$id] === undefined || isDeepStrictEqual(schemas[$id], own), `two schemas are named ${$id}`)
  schemas[$id] = own
  return { $ref: `#/components/schemas/${$id}` }
}

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
