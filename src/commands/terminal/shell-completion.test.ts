// Completion in a shell: bash is queried for its suggestions; zsh, if it is installed, parses its script.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { runBackbook } from '../../../test/support/programs/program.ts'
import { temporaryFolder } from '../../../test/support/server.ts'

/** Returns the suggestions of bash with the cursor at the end of the line. */
async function offered(script: string, line: string): Promise<string[]> {
  const words = line.split(' ').map((word) => `'${word}'`)
  const ask = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _backbook; printf '%s\\n' "\${COMPREPLY[@]}"`
  const child = Bun.spawn(['bash', '-c', `${script}\n${ask}`], { cwd: '/', stdout: 'pipe', stderr: 'pipe' })
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ''])
  return (await child.stdout.text()).split('\n').filter((each) => each !== '')
}

test('bash completes commands, flags and choices', async () => {
  const { out, err, exitCode } = await runBackbook(['completion', 'bash'])
  expect([err, exitCode]).toEqual(['', 0])
  expect(await offered(out, 'backbook s')).toEqual(['serve', 'search', 'summary', 'sweep'])
  expect(await offered(out, 'backbook keys r')).toEqual(['rotate', 'revoke'])
  expect(await offered(out, 'backbook keys create --us')).toEqual(['--user'])
  expect(await offered(out, 'backbook summary --venue ')).toEqual(['polymarket', 'kalshi'])
  expect(await offered(out, 'backbook summary --venue kalshi --mar')).toEqual(['--market'])
  expect(await offered(out, 'backbook export --data data --format p')).toEqual(['parquet'])
  expect(await offered(out, 'backbook serve --log-level d')).toEqual(['debug'])
  expect(await offered(out, 'backbook ingest us')).toEqual(['usr'])
  expect(await offered(out, 'backbook serve --data us')).toEqual(['usr'])
  expect(await offered(out, 'backbook keys list --user us')).toEqual([])
  expect(await offered(out, 'backbook completion ')).toContain('zsh')
}, 30_000)

test('the script for zsh is one that it can read', async () => {
  const { out, exitCode } = await runBackbook(['completion', 'zsh'])
  expect(exitCode).toBe(0)
  expect(out).toContain('backbook')
  if (Bun.which('zsh') === null) return
  using folder = temporaryFolder()
  const path = join(folder.path, 'backbook.zsh')
  await Bun.write(path, out)
  const child = Bun.spawn(['zsh', '-n', path], { stdout: 'pipe', stderr: 'pipe' })
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ''])
})

test('a shell that is not known is refused', async () => {
  const { exitCode, err } = await runBackbook(['completion', 'tcsh'])
  expect([exitCode, err]).toEqual([2, expect.stringContaining('shell must be one of bash, zsh, got')])
})
