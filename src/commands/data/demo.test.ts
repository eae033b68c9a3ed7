// Goal: `demo` replaces only what an earlier demo made.

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runBackbook } from '../../../test/support/programs/program.ts'

test.each(['captures/mine.ndjson', 'accounts.sqlite', 'segments/new/kalshi/a.part', 'store/data.mdb', 'recorder/a'])(
  'a folder with %s of its own is left as it is',
  async (file) => {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-demo-'))
    try {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '')
      const { err, exitCode } = await runBackbook(['demo', '--data', folder, '--port', '0', '--no-live'])
      expect([exitCode, existsSync(path)]).toEqual([2, true])
      expect(err).toContain(`${folder} holds ${file.split('/')[0]}, which demo did not make: name another folder`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
