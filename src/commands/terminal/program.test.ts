// Tests the command line: what it accepts, what it refuses, and its exit codes.

import { expect, spyOn, test } from 'bun:test'
import { runBackbook } from '../../../test/support/programs/program.ts'
import { ConfigError } from '../../config/config-error.ts'
import { addKeysCommand } from '../accounts/keys.ts'
import { addDemoCommand } from '../data/demo.ts'
import { addIngestCommand } from '../data/ingest.ts'
import { addServeCommand } from '../server/serve.ts'
import { CommandError, createProgram, EXIT_MEANINGS, runProgram } from './program.ts'

async function run(words: string[], fails?: Error) {
  let output = ''
  const write = (text: string | Uint8Array) => {
    output += String(text)
    return true
  }
  const spies = [spyOn(process.stderr, 'write'), spyOn(process.stdout, 'write')]
  for (const spy of spies) spy.mockImplementation(write as typeof process.stdout.write)
  const program = createProgram([
    addServeCommand,
    addKeysCommand,
    addDemoCommand,
    addIngestCommand,
    (each) =>
      void each.command('fail').action(() => {
        throw fails
      }),
  ])
  const exitCode = await runProgram(program, words)
  for (const spy of spies) spy.mockRestore()
  return { exitCode, output }
}

test.each([
  [['nonsense'], "unknown command 'nonsense'"],
  [['serve', '--prot', '1'], "unknown option '--prot'"],
  [['serve', '--port', 'x'], '--port must be a whole number from 0 to 65535, got "x"'],
  [['serve', '--port', '70000'], '--port must be a whole number from 0 to 65535, got 70000'],
  [['serve', '--admin-token', 'hunter22'], "unknown option '--admin-token'"],
  [['serve', 'extra'], 'too many arguments'],
  [['serve', '--json'], '--json works only with --print-config'],
  [['demo', '--date', '2026-02-30'], '--date must be a UTC day from 2000-01-01 to 2099-12-31, got "2026-02-30"'],
  [['demo', '--date', '1999-12-31'], '--date must be a UTC day from 2000-01-01 to 2099-12-31, got "1999-12-31"'],
  [['demo', '--date', '2100-01-01'], '--date must be a UTC day from 2000-01-01 to 2099-12-31, got "2100-01-01"'],
  [['ingest', 'no/such'], 'there is no file or folder "no/such"'],
  [['keys'], 'Usage: backbook keys'],
  [['keys', 'create', '--user', 'a'], "required option '--name <name>' not specified"],
  [['keys', 'create', '--user', '', '--name', 'b'], '--user must be 1 to 200 characters'],
  [
    ['keys', 'create', '--user', 'a', '--name', 'b', '--plan', 'gold'],
    '--plan must be one of free, starter, pro, got "gold"',
  ],
  [[], 'Usage: backbook'],
])('%p ends with 2', async (words, expected) => {
  const { exitCode, output } = await run(words)
  expect(exitCode).toBe(2)
  expect(output).toContain(expected)
})

test.each([[['--help']], [['serve', '--help']], [['--version']]])('%p ends with 0', async (words) =>
  expect((await run(words)).exitCode).toBe(0),
)

test('a failure is one line, and ends with the code it names', async () => {
  expect(await run(['fail'], new CommandError('no such folder', 2))).toEqual({
    exitCode: 2,
    output: 'backbook: no such folder\n',
  })
  expect((await run(['fail'], new ConfigError('no such setting'))).exitCode).toBe(2)
  expect((await run(['fail'], new Error('disk full'))).exitCode).toBe(1)
})

test('the exit codes of --help are those of docs/commands.md', async () => {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |\n`)
  const docs = await Bun.file(new URL('../../../docs/commands.md', import.meta.url)).text()
  expect(docs).toContain(`| exit code | meaning |\n|---|---|\n${rows.join('')}\n`)
  const { output } = await run(['--help'])
  for (const [code, meaning] of Object.entries(EXIT_MEANINGS)) expect(output).toContain(`  ${code}  ${meaning}\n`)
})

test('every command has a section in docs/commands.md, and examples in its help', async () => {
  const main = await Bun.file(new URL('../../run-command.ts', import.meta.url)).text()
  const docs = await Bun.file(new URL('../../../docs/commands.md', import.meta.url)).text()
  const names = [...main.matchAll(/^ {2}([a-z]+): async/gm)].map(([, name]) => name!)
  expect(names).toContain('summary')
  for (const name of names) {
    expect(docs).toMatch(new RegExp(`^#{2,3} ${name}$`, 'm'))
    const { out, exitCode } = await runBackbook([name, '--help'])
    expect([name, exitCode]).toEqual([name, 0])
    expect(out).toContain('\nExamples:\n')
  }
}, 60_000)
