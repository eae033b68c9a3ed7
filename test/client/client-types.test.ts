// The types for TypeScript clients: the file in src/client/ equals the one that the server sends, and has the right
// content.

import { expect, test } from 'bun:test'
import type { OpenApiDocument } from '../../src/openapi/document.ts'
import { ask, testApp } from '../support/server.ts'
import { clientTypes } from './client-types.ts'

const FILE = 'src/client/backbook.d.ts'

test('src/client/backbook.d.ts equals the file of a server: "bun run client-types" writes it', async () => {
  const { body } = await ask(testApp(), '/docs/json', { headers: {} })
  const made = clientTypes(body as OpenApiDocument)
  if (process.env['UPDATE_CLIENT_TYPES']) await Bun.write(FILE, made)
  expect(await Bun.file(FILE).text()).toBe(made)
  const { text, headers } = await ask(testApp(), '/docs/backbook.d.ts', { headers: {} })
  expect([text, headers.get('content-type')]).toEqual([made, 'text/plain; charset=utf-8'])
})

test('the parts of a path lead to an endpoint with its parameters, answer and failures', () => {
  const document = {
    paths: {
      '/user/{user_id}/count': {
        get: {
          summary: 'A count',
          parameters: [
            { in: 'path', name: 'user_id', required: true, schema: { type: 'string' } },
            {
              in: 'query',
              name: 'days',
              required: false,
              description: 'Days',
              schema: { type: 'integer', default: 3 },
            },
          ],
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Count' } } } },
            404: { content: { 'application/problem+json': { schema: {}, examples: { key_not_found: { $ref: '' } } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Count: {
          type: 'object',
          description: 'How many',
          required: ['count'],
          properties: {
            count: { type: 'integer', nullable: true, description: 'The number' },
            of: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          },
        },
      },
    },
  } as unknown as OpenApiDocument
  const text = clientTypes(document)
  expect(text).toContain(`/** How many */
export interface Count {
  /** The number */
  count: number | null
  of?: Array<'a' | 'b'>
}`)
  expect(text).toContain(`export type Endpoints = {
  user: {
    ':user_id': {
      count: {
        /** A count */
        get: Endpoint<{
          /** Days. Default: 3 */
          days?: number
        }, {
          user_id: string
        }, undefined, {
          200: Count
          404: Failure<'key_not_found'>
        }>
      }
    }
  }
}`)
})
