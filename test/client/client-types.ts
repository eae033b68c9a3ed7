// Generates the types of the API for TypeScript clients from the OpenAPI document: an interface for each answer, and
// `App`, the type parameter of Eden's treaty. The text is self-contained: it imports only a type of Elysia.

import type { JsonSchema, OpenApiDocument, Operation, OperationParameter } from '../../src/openapi/document.ts'

/** Endpoints nested as in Eden: a key for each part of the path, `:name` for a parameter, then the method. */
type Tree = Map<string, Tree | Endpoint>
type Endpoint = { words: string; type: string }

export function clientTypes({ paths, components }: OpenApiDocument): string {
  const tree: Tree = new Map()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) addEndpoint(tree, path, method, endpointOf(operation))
  }
  const interfaces = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export interface ${name} ${objectType(schema, '')}\n`,
  )
  return `// Types of the HTTP API of backbook, made from its OpenAPI document: \`bun run client-types\` writes this file, and every
// server has its own at /docs/backbook.d.ts.

import type { Elysia } from 'elysia'

${interfaces.join('\n')}
/** A failure with one of the codes that an endpoint can answer with that status. */
export type Failure<Code extends Problem['code']> = Problem & { code: Code }

interface Endpoint<Query, Params, Body, Response> {
  query: Query
  params: Params
  body: Body
  headers: Nothing
  response: Response
}
type Nothing = Record<never, never>

/** Every endpoint, by the parts of its path and its method. */
export type Endpoints = ${treeType(tree, '')}

/** For \`treaty<App>(address)\` of @elysiajs/eden. */
export type App = Elysia<
  '',
  Elysia['~Singleton'],
  Elysia['~Definitions'],
  Elysia['~Metadata'],
  Endpoints & { api: { v1: Endpoints } }
>
`
}

function addEndpoint(tree: Tree, path: string, method: string, endpoint: Endpoint): void {
  let at = tree
  for (const part of path.slice(1).split('/')) {
    const segment = part.replace(/^\{(.+)\}$/, ':$1')
    if (!at.has(segment)) at.set(segment, new Map())
    at = at.get(segment) as Tree
  }
  at.set(method, endpoint)
}

function treeType(tree: Tree, indent: string): string {
  const inner = `${indent}  `
  const lines = Array.from(tree, ([segment, below]) => {
    if (below instanceof Map) return `${inner}${keyOf(segment)}: ${treeType(below, inner)}`
    return `${comment(below.words, inner)}${inner}${keyOf(segment)}: ${below.type.replaceAll('\n', `\n${inner}`)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function endpointOf({ summary, description, parameters = [], requestBody, responses }: Operation): Endpoint {
  const answers = Object.entries(responses).map(([status, { content }]) => {
    const codes = Object.keys(content?.['application/problem+json']?.examples ?? {})
    if (content === undefined) return `  ${status}: null`
    const answer = Object.values(content)[0]?.schema
    if (codes.length > 0) return `  ${status}: Failure<${codes.map((code) => `'${code}'`).join(' | ')}>`
    return `  ${status}: ${answer === undefined ? 'unknown' : typeOf(answer, '  ')}`
  })
  const body = requestBody?.content['application/json']?.schema
  const words = description === undefined ? summary : `${summary}.\n\n${description}`
  const bodyType =
    body === undefined ? 'undefined' : `${typeOf(body, '')}${requestBody?.required ? '' : ' | undefined'}`
  const of = (place: OperationParameter['in']) => parametersType(parameters.filter((each) => each.in === place))
  const type = `Endpoint<${of('query')}, ${of('path')}, ${bodyType}, {\n${answers.join('\n')}\n}>`
  return { words, type }
}

function parametersType(parameters: readonly OperationParameter[]): string {
  if (parameters.length === 0) return 'Nothing'
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description === undefined ? {} : { description }) },
  ])
  const required = parameters.filter((each) => each.required).map(({ name }) => name)
  return objectType({ properties: Object.fromEntries(properties), required }, '')
}

function objectType(
  { properties = {}, required = [], additionalProperties: others }: JsonSchema,
  indent: string,
): string {
  if (Object.keys(properties).length === 0) {
    return `Record<string, ${typeof others === 'object' ? typeOf(others, indent) : 'unknown'}>`
  }
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(wordsOf(schema), inner)}${inner}${keyOf(name)}${mark}: ${typeOf(schema, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function typeOf(schema: JsonSchema, indent: string): string {
  const type = typeWithoutNull(schema, indent)
  return schema.nullable === true ? `${type} | null` : type
}

function typeWithoutNull(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.oneOf !== undefined) return schema.oneOf.map((each) => typeOf(each, indent)).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ')
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent)
      return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`
    }
    case 'object':
      return objectType(schema, indent)
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

const wordsOf = ({ description, default: otherwise }: JsonSchema) =>
  otherwise === undefined ? description : `${description}. Default: ${String(otherwise)}`

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

function comment(words: string | undefined, indent: string): string {
  if (words === undefined) return ''
  const lines = words.split('\n').map((line) => line.trim())
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
