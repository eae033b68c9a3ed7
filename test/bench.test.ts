// Goal: the bench still runs. Its figures at this size say nothing.

import { expect, test } from 'bun:test'

test('the bench runs at its smoke size', async () => {
  const bench = Bun.spawn(['bun', 'bench/core.ts'], { env: { ...process.env, BENCH_SMOKE: '1' }, stdout: 'pipe' })
  const printed = await new Response(bench.stdout).text()
  expect(await bench.exited).toBe(0)
  expect(printed).toContain('million records/s')
  expect(printed).toContain('date-range over HTTP')
}, 60_000)
