// Makes requests from our own OpenAPI document: every operation, with valid and with invalid values.

import type { OpenApiDocument, Operation, OperationParameter } from '../../../../src/openapi/document.ts'
import type { Random } from '../../../../workers/synthetic/random.ts'
import { bodyTypes, documentedValue, type Known, knownValue, nastyBodies, nastyHeaders, nastyValues } from './values.ts'

export type FuzzRequest = {
  method: string
  /** The path of the operation as in the OpenAPI document. */
  template: string
  operation: Operation
  /** Whether the path was changed beyond its parameters, so that another operation, or none, may answer. */
  isElsewhere: boolean
  bytes: Uint8Array
  /** The request as text, to explain a failure. */
  text: string
}

/** Chances of each choice: an invalid value for a parameter, the presence of an optional parameter, and so on. */
const CHANCES = {
  nasty: 0.25,
  optional: 0.5,
  missing: 0.05,
  repeated: 0.03,
  unknown: 0.05,
  header: 0.2,
  elsewhere: 0.06,
}

const PATH_TRICKS: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}/..`,
  (path) => `/./${path.slice(1)}`,
  (path) => `/api/v1/../..${path}`,
  (path) => path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.toUpperCase(),
  (path) => path.replace('/', '/%2e%2e/'),
  (path) => `${path}%00`,
  (path) => `${path};a=b`,
  (path) => path.replaceAll('/', '\\'),
  () => '/__proto__',
  () => '/constructor/prototype',
  () => '/docs/../../../../etc/passwd',
  () => '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
]

export function fuzzRequest(document: OpenApiDocument, secret: string, known: Known, random: Random): FuzzRequest {
  const template = random.pick(Object.keys(document.paths))
  const method = random.pick(Object.keys(document.paths[template]!))
  const operation = document.paths[template]![method]!
  const pairs: string[] = []
  let path = template
  const isElsewhere = random.chance(CHANCES.elsewhere)
  for (const parameter of operation.parameters ?? []) {
    const value = valueFor(parameter, template, known, random)
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, asSegment(value))
    if (parameter.in !== 'query' || random.chance(CHANCES.missing)) continue
    if (parameter.required || random.chance(CHANCES.optional)) pairs.push(`${parameter.name}=${value}`)
    if (random.chance(CHANCES.repeated)) pairs.push(`${parameter.name}=${value}`)
  }
  if (random.chance(CHANCES.unknown)) pairs.push(`${random.pick(nastyValues)}=${random.pick(nastyValues)}`)
  const prefix = template.startsWith('/docs') || random.chance(0.5) ? '' : '/api/v1'
  path = isElsewhere ? random.pick(PATH_TRICKS)(`${prefix}${path}`) : `${prefix}${path}`
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  const head = [`${method.toUpperCase()} ${path}${query} HTTP/1.1`, 'Host: localhost']
  if (!random.chance(0.03)) head.push(`Authorization: Bearer ${secret}`)
  if (random.chance(CHANCES.header)) head.push(random.pick(nastyHeaders))
  const body = method === 'get' || random.chance(0.2) ? undefined : bodyOf(operation, random)
  if (body !== undefined) {
    const type = random.pick(bodyTypes)
    if (type !== '') head.push(`Content-Type: ${type}`)
    head.push(`Content-Length: ${body.length}`)
  }
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? new Uint8Array(0)])
  const text = bytes.toString('latin1').slice(0, 3_000)
  return { method, template, operation, isElsewhere, bytes, text }
}

function valueFor({ name, schema }: OperationParameter, path: string, known: Known, random: Random): string {
  if (random.chance(CHANCES.nasty)) return random.pick(nastyValues)
  return knownValue(name, path, known, random) ?? documentedValue(schema, random)
}

/** Makes a value one segment of a path. Replaces values that would change the path by `x`. */
const asSegment = (value: string) =>
  /^(?:|\.|\.\.|%2e%2e|\?|a\/b)$/.test(value) ? 'x' : value.replaceAll('?', '%3F').replaceAll('/', '%2F')

function bodyOf(operation: Operation, random: Random): Uint8Array {
  const content = operation.requestBody?.content['application/json']
  if (content === undefined || random.chance(0.7)) return asBytes(random.pick(nastyBodies))
  const properties = Object.entries(content.schema.properties ?? {})
  const wrong = [1e21, -1, null, [], {}, '', '\u0000', true, 'x'.repeat(300)]
  const fields = properties.map(([name, schema]) => {
    return [name, random.chance(0.5) ? random.pick(wrong) : (schema.example ?? 'fuzz')]
  })
  return asBytes(JSON.stringify(Object.fromEntries(fields)))
}

const asBytes = (body: string | Uint8Array) => (typeof body === 'string' ? Buffer.from(body) : body)
