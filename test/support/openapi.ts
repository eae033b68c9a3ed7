// Checks answers against the OpenAPI document. An answer must match it, and contain no undocumented field.

import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import type { JsonSchema, OpenApiDocument } from '../../src/openapi/document.ts'

/** Returns the errors of an answer; empty if it is as documented. An undocumented field is an error. `type` is the
 *  content type; by default, the first documented one. */
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

/** Forbids undocumented fields in every object, unless the document allows more. */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T
  if (typeof value !== 'object' || value === null) return value
  const own = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]))
  const isObjectSchema = own['type'] === 'object' && !('additionalProperties' in own)
  return (isObjectSchema ? { ...own, additionalProperties: false } : own) as T
}
