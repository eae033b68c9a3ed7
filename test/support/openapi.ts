// Checks answers against the OpenAPI document: whether they match it, and contain nothing that it does not describe.

import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import type { JsonSchema, OpenApiDocument } from '../../src/openapi/document.ts'

/** The errors of an answer; empty if it is as documented. A field that is not documented is an error. Without a
 *  type, the first documented one applies. */
export type ValidateAnswer = (path: string, method: string, status: string, answer: unknown, type?: string) => string[]

export function strictValidator(document: OpenApiDocument): ValidateAnswer {
  const ajv = new Ajv({ allErrors: true, strict: false })
  addFormats(ajv)
  ajv.addSchema({ $id: 'document', ...closed(document as unknown as JsonSchema) })
  const pointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
  return (path, method, status, answer, type) => {
    const content = document.paths[path]?.[method]?.responses[status]?.content
    if (content === undefined) return [`${method} ${path}: ${status} is not documented`]
    const place = ['paths', path, method, 'responses', status, 'content', type ?? Object.keys(content)[0]!, 'schema']
    const validate = ajv.getSchema(`document#/${place.map((part) => encodeURIComponent(pointer(part))).join('/')}`)
    if (validate === undefined) return [`${method} ${path}: ${status} has no schema`]
    if (validate(answer) === true) return []
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }
}

/** Every object takes only the documented fields, unless the document lets it have more. */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T
  if (typeof value !== 'object' || value === null) return value
  const own = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]))
  const isObjectSchema = own['type'] === 'object' && !('additionalProperties' in own)
  return (isObjectSchema ? { ...own, additionalProperties: false } : own) as T
}
