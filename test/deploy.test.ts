// The files in deploy/ fit the program: it accepts their command lines, knows their variables, and fits in their time
// limits.

import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config/config.ts'
import { SETTING_NAMES, settingOf } from '../src/config/settings.ts'
import { RECORDER_STOP_MS } from '../src/record/process/recorder-child.ts'
import { isPresent } from './run/missing.ts'
import { TemporaryFolders } from './support/disk/temporary-folders.ts'

const DEPLOY = join(import.meta.dir, '../deploy')
const MAIN = join(import.meta.dir, '../src/main.ts')
const textOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

/** Returns the arguments of each line that runs the program. */
function commandLines(text: string): string[][] {
  const lines = [...text.matchAll(/^ExecStart=.*?\/usr\/local\/bin\/backbook (.*?)'?$/gm)].map(([, words]) => words!)
  return lines.map((line) =>
    line
      .replaceAll(/"[^"]*"/g, 'X')
      .replaceAll(/\$\{[A-Z_]+\}/g, '1')
      .split(' '),
  )
}

const unknownOptions = (words: string[]) => {
  const help = Bun.spawnSync([process.execPath, MAIN, words[0]!, '--help']).stdout.toString()
  return words.filter((word) => word.startsWith('--') && !help.includes(`${word} `) && !help.includes(`${word}\n`))
}

test.each(['backbook.service', 'backbook-record.service', 'backbook-backup.service'])(
  '%s runs commands that exist',
  (name) => {
    const [words, ...more] = commandLines(textOf(name))
    expect(more).toEqual([])
    expect(unknownOptions(words!)).toEqual([])
  },
)

test('the container runs a command that exists', () => {
  const words = JSON.parse(/^CMD (\[.*\])$/m.exec(textOf('Containerfile'))?.[1] ?? '[]') as string[]
  expect(words[0]).toBe('serve')
  expect(unknownOptions(words)).toEqual([])
})

test('the unit allows the server, and a recorder in it, more time to stop than they need', () => {
  const seconds = Number(/^TimeoutStopSec=([0-9]+)$/m.exec(textOf('backbook.service'))?.[1])
  const { shutdownMs } = readConfig({ flags: {}, variables: {}, file: undefined }, 1)
  expect(seconds * 1_000).toBeGreaterThan(Math.max(shutdownMs, RECORDER_STOP_MS) + 10_000)
})

test.each([
  ['backbook.env', /^#([A-Z_]+)=/gm, 6],
  ['backbook.service', /^Environment=([A-Z_]+)=/gm, 1],
  ['backbook-record.service', /^Environment=([A-Z_]+)=/gm, 1],
  ['backbook-backup.service', /^Environment=([A-Z_]+)=/gm, 1],
  ['Containerfile', /(BACKBOOK_[A-Z_]+)=/g, 3],
])('the variables of %s are settings', (name, pattern, count) => {
  const known = SETTING_NAMES.map((setting) => settingOf(setting).variable)
  const names = [...textOf(name).matchAll(pattern)].map(([, variable]) => variable!)
  expect(names.length).toBe(count)
  expect(names.filter((variable) => !known.includes(variable))).toEqual([])
})

test.if(isPresent(Bun.which('systemd-analyze') !== null, 'systemd-analyze'))('systemd understands the units', () => {
  const units = ['backbook.service', 'backbook-record.service', 'backbook-backup.service', 'backbook-backup.timer']
  const { stdout, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', ...units.map((name) => join(DEPLOY, name))])
  const messages = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('backbook'))
  // The program itself is not installed where tests run.
  expect(messages.filter((line) => !line.includes('/usr/local/bin/backbook is not executable'))).toEqual([])
})

const promtool = Bun.which('promtool')
isPresent(promtool !== null, 'promtool')

describe.skipIf(promtool === null)('Prometheus', () => {
  const folders = new TemporaryFolders()
  afterAll(() => folders.remove())
  const runPromtool = (words: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([promtool!, ...words])
    return { exitCode, text: `${stdout}${stderr}` }
  }

  test('understands the configuration and the alerts', () => {
    // The file of the token exists only where Prometheus runs.
    const config = runPromtool(['check', 'config', '--syntax-only', join(DEPLOY, 'prometheus.yml')])
    expect(config).toEqual({ exitCode: 0, text: expect.stringContaining('SUCCESS') })
    const rules = runPromtool(['check', 'rules', join(DEPLOY, 'prometheus-alerts.yml')])
    expect(rules).toEqual({ exitCode: 0, text: expect.stringContaining('SUCCESS') })
  })

  /** The values are samples, one minute apart, from minute 0 on. The alert fires at minute `firesAt` with these
   *  labels, and does not fire at minute `silentAt`. */
  test.each([
    ['BackbookAway', 'up{job="backbook", instance="a"}', '0x9', 5, 1, { job: 'backbook', instance: 'a' }],
    ['BackbookRecorderGone', 'backbook_recorder_gone{instance="a"}', '0 0 0 1x9', 9, 2, { instance: 'a' }],
    ['BackbookRecorderDropsFrames', 'backbook_recorder_frames_dropped_total{instance="a"}', '7x5 8x9', 7, 4, {}],
    [
      'BackbookRecorderGaps',
      'backbook_recorder_gaps_total{instance="a", venue="kalshi", reason="silence"}',
      '0+1x200',
      90,
      9,
      { reason: 'silence', venue: 'kalshi' },
    ],
  ])('fires %s', (alert, series, values, firesAt, silentAt, labels) => {
    const name = join(folders.make(), 'alerts.test.yml')
    const severity = /- alert: (\w+)[^-]*?severity: (\w+)/g
    const severities = new Map([...textOf('prometheus-alerts.yml').matchAll(severity)].map(([, of, is]) => [of, is]))
    const given = { instance: 'a', ...labels, severity: severities.get(alert) }
    const expected = (minute: number, alerts: object[]) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts: alerts,
    })
    const summary = textOf('prometheus-alerts.yml')
      .split(`- alert: ${alert}\n`)[1]!
      .match(/summary: '(.*)'/)![1]!
      .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => given[label as keyof typeof given]!)
    const test = {
      interval: '1m',
      input_series: [
        { series, values },
        { series: 'backbook_recorder_markets{instance="a", venue="kalshi"}', values: '3x300' },
      ],
      alert_rule_test: [
        expected(silentAt, []),
        expected(firesAt, [{ exp_labels: given, exp_annotations: { summary } }]),
      ],
    }
    // JSON is valid YAML.
    writeFileSync(name, JSON.stringify({ rule_files: [join(DEPLOY, 'prometheus-alerts.yml')], tests: [test] }))
    expect(runPromtool(['test', 'rules', name])).toEqual({ exitCode: 0, text: expect.stringContaining('SUCCESS') })
  })
})
