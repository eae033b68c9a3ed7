// The free address space is the limit minus the mapped size, however the limit was set.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { addressSpaceLeft } from './address-space.ts'

const MODULE = join(import.meta.dir, 'address-space.ts')
const LIMIT_KB = 2 ** 30

test('the mapped size is subtracted from the limit', async () => {
  const program = `const { addressSpaceLeft } = await import('${MODULE}'); console.log(addressSpaceLeft())`
  const child = Bun.spawn(['bash', '-c', `ulimit -v ${LIMIT_KB} && exec "$0" -e "$1"`, process.execPath, program])
  const left = Number(await child.stdout.text())
  expect(await child.exited).toBe(0)
  expect(left).toBeGreaterThan(0)
  // Bun maps more than its own program, which has 90 MB.
  expect(left).toBeLessThan(LIMIT_KB * 1024 - 90e6)
})

test('without a limit the space is infinite', () => {
  const child = Bun.spawnSync(['bash', '-c', 'ulimit -v'])
  expect(addressSpaceLeft() === Number.POSITIVE_INFINITY).toBe(child.stdout.toString().trim() === 'unlimited')
})
