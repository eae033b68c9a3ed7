// Tests reading the plans file. An error contains the name of the file.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/server.ts'
import { loadPlans } from './plans-file.ts'

test('a file takes the place of the built-in plans', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'plans.json')
  writeFileSync(path, '{"default": "x", "plans": [{"id": "x", "name": "X", "calls_per_month": null}]}')
  expect([...loadPlans(path).byId.keys()]).toEqual(['x'])
  expect([...loadPlans(null).byId.keys()]).toEqual(['free', 'starter', 'pro'])
})

test.each(['{', '{"default": "x"}'])('%s is refused, with the name of the file', (text) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'plans.json')
  writeFileSync(path, text)
  expect(() => loadPlans(path)).toThrow(`Cannot use the plans in ${path}: `)
})

test('an error names a missing file', () => expect(() => loadPlans('/nowhere/plans.json')).toThrow('/nowhere'))
