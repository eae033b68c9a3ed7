// Goal: the files in deploy/cluster fit the program and its engines: commands, variables, times, rights.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { SETTING_NAMES, settingOf } from '../src/config/settings.ts'

const DEPLOY = join(import.meta.dir, '../deploy/cluster')
const MAIN = join(import.meta.dir, '../src/main.ts')
const textOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')
const VARIABLES: readonly string[] = SETTING_NAMES.map((name) => settingOf(name).variable)

type Container = { args: string[]; env?: { name: string; valueFrom?: object }[] }
type Manifest = { kind: string; metadata: { name: string }; spec: unknown }

const manifests = () => YAML.parse(textOf('kubernetes.yml')) as Manifest[]

/** Finds containers at any depth. */
function containersIn(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return []
  const { containers = [] } = value as { containers?: Container[] }
  return [...containers, ...Object.values(value).flatMap(containersIn)]
}

function isCommand(words: readonly string[]): boolean {
  const help = Bun.spawnSync([process.execPath, MAIN, words[0]!, '--help'])
  const text = help.stdout.toString()
  const isKnown = text.startsWith(`Usage: backbook ${words[0]} `)
  return isKnown && words.filter((word) => word.startsWith('--')).every((word) => text.includes(`${word} `))
}

describe('deploy/cluster', () => {
  test('the manifests run commands that exist', () => {
    const commands = containersIn(manifests()).map(({ args }) => args)
    expect(commands.map(([name]) => name).sort()).toEqual(['compact', 'record', 'serve', 'sweep'])
    for (const words of commands) expect([words, isCommand(words)]).toEqual([words, true])
  })

  test('the compose file runs commands that exist', () => {
    const { services } = YAML.parse(textOf('compose.yml')) as { services: Record<string, { command?: string[] }> }
    const commands = Object.values(services).flatMap(({ command }) => (command === undefined ? [] : [command]))
    expect(commands.map(([name]) => name).sort()).toEqual(['compact', 'record', 'sweep'])
    for (const words of commands) expect([words, isCommand(words)]).toEqual([words, true])
  })

  test.each(['backbook-compact.service', 'backbook-sweep.service'])('%s runs a command that exists', (name) => {
    const words = /^ExecStart=\/usr\/local\/bin\/backbook (.*)$/m.exec(textOf(name))![1]!.split(' ')
    expect(isCommand(words)).toBe(true)
  })

  test('variables are settings', () => {
    const named = [
      ...[...textOf('cluster.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!),
      ...containersIn(manifests()).flatMap(({ env = [] }) => {
        // A variable that takes its value from Kubernetes is for the manifest only.
        return env.filter(({ valueFrom }) => valueFrom === undefined).map(({ name }) => name)
      }),
    ]
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !VARIABLES.includes(name))).toEqual([])
  })

  test('a node stops after the balancer has seen that it is not ready', () => {
    const [, seconds, fall] = /default-server check inter ([0-9]+)s fall ([0-9]+)/.exec(textOf('haproxy.cfg'))!
    const drain = Number(/^DRAIN_SECONDS=([0-9]+)$/m.exec(textOf('cluster.env'))![1])
    expect(drain).toBeGreaterThan(Number(seconds) * Number(fall))
  })

  test.skipIf(Bun.which('haproxy') === null)('haproxy takes its settings (skipped without it)', () => {
    const { exitCode, stderr } = Bun.spawnSync(['haproxy', '-c', '-f', join(DEPLOY, 'haproxy.cfg')])
    expect([exitCode, stderr.toString()]).toEqual([0, expect.any(String)])
  })

  test.skipIf(Bun.which('systemd-analyze') === null)('systemd understands the units (skipped without it)', () => {
    const units = ['backbook-compact', 'backbook-sweep'].flatMap((name) => [`${name}.service`, `${name}.timer`])
    const { stdout, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', ...units.map((name) => join(DEPLOY, name))])
    const logLines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('backbook'))
    expect(logLines.filter((line) => !line.includes('/usr/local/bin/backbook is not executable'))).toEqual([])
  })

  test('a read-only node has only rights to read', () => {
    const policy = JSON.parse(textOf('bucket-reader.json')) as { Statement: { Action: string[] }[] }
    expect(policy.Statement.flatMap(({ Action }) => Action)).toEqual(['s3:GetObject', 's3:ListBucket'])
    const grants = [...textOf('roles.sql').matchAll(/^GRANT ([A-Z, ]+) ON .* TO .*backbook_reader/gm)]
    expect(grants.map(([, rights]) => rights)).toEqual(['USAGE', 'SELECT', 'SELECT'])
  })
})
