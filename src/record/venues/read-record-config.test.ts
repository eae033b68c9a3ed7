// Tests that record.toml is read in full, that a minimal file is enough, and that an error names the setting.
// src/config/settings.test.ts tests what each setting accepts.

import { afterAll, describe, expect, test } from 'bun:test'
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { readRecordConfig, recordConfigOf } from './read-record-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string, variables: Record<string, string> = {}) {
  const path = join(folder, 'record.toml')
  writeFileSync(path, text)
  return readRecordConfig(path, variables)
}

/** Returns the error message, without the name of the file. */
function refusalOf(text: string, variables: Record<string, string> = {}): string {
  try {
    read(text, variables)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message.replace(`${join(folder, 'record.toml')}: `, '')
  }
  throw new Error('it was accepted')
}

const MINIMAL = `
[kalshi]
ws_url = "ws://127.0.0.1:9000/replay/kalshi/trade-api/ws/v2?from=1"
rest_url = ""
tickers = ["KXDEMO-26JUL20-T50"]

[polymarket]
ws_url = "ws://127.0.0.1:9000/replay/polymarket/ws/market"
gamma_url = ""
clob_url = "http://127.0.0.1:9001/"
asset_ids = ["71321045679252212594626385532706912750332728571942532289631379312455583992563"]
`

describe('the smallest file', () => {
  test('names markets and addresses', () => {
    const { kalshi, polymarket } = read(MINIMAL)
    expect(kalshi?.wsUrl).toBe('ws://127.0.0.1:9000/replay/kalshi/trade-api/ws/v2?from=1')
    expect(kalshi?.tickers).toEqual(['KXDEMO-26JUL20-T50'])
    expect([kalshi?.rest, kalshi?.sign]).toEqual([null, undefined])
    expect(polymarket?.gamma).toBeNull()
    expect(polymarket?.clob?.url).toBe('http://127.0.0.1:9001')
    expect(polymarket?.assetIds).toHaveLength(1)
  })

  test('has the defaults', () => {
    const { commitMs, flushMs, retentionDays, polymarket, kalshi } = read(MINIMAL)
    expect({ commitMs, flushMs, retentionDays }).toEqual({ commitMs: 5_000, flushMs: 1_000, retentionDays: 30 })
    expect([polymarket?.perConnection, polymarket?.pingMs, polymarket?.pongMs]).toEqual([200, 10_000, 5_000])
    expect([kalshi?.perConnection, kalshi?.pingMs, kalshi?.pongMs]).toEqual([200, 10_000, 20_000])
  })
})

test('the addresses are those of the venue, unless ws_url names another server', () => {
  const own = read('[polymarket]\nall = true\n[kalshi]\nseries = ["KXBTC15M"]')
  expect(own.polymarket?.wsUrl).toBe('wss://ws-subscriptions-clob.polymarket.com/ws/market')
  expect(own.polymarket?.gamma?.url).toBe('https://gamma-api.polymarket.com')
  expect(own.kalshi?.rest?.url).toBe('https://external-api.kalshi.com/trade-api/v2')
  const other = read('[polymarket]\nws_url = "ws://127.0.0.1:1/x"\nasset_ids = ["1"]')
  expect([other.polymarket?.gamma, other.polymarket?.clob, other.kalshi]).toEqual([null, null, null])
})

test('fractions of a second are accepted, and 0 days keep segments forever', () => {
  const { commitMs, retentionDays } = read(`commit_seconds = 0.2\nretention_days = 0\n${MINIMAL}`)
  expect([commitMs, retentionDays]).toEqual([200, null])
})

describe('the key of Kalshi', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  writeFileSync(join(folder, 'kalshi.pem'), pem)
  const section = '[kalshi]\ntickers = ["A"]\n'

  function expectSigned({ kalshi }: ReturnType<typeof read>) {
    const headers = kalshi!.sign!('ws://x/path', 7)
    expect(headers['KALSHI-ACCESS-KEY']).toBe('an-id')
    const signature = Buffer.from(headers['KALSHI-ACCESS-SIGNATURE']!, 'base64')
    const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING }
    expect(verify('sha256', Buffer.from('7GET/path'), key, signature)).toBe(true)
  }

  test('is read from a file next to record.toml', () => {
    expectSigned(read(`${section}key_id = "an-id"\nprivate_key_file = "kalshi.pem"`))
  })

  test.each([
    ['as it is', pem],
    ['with its line ends written as \\n', pem.replaceAll('\n', '\\n')],
  ])('is read from the environment, %s', (_, given) => {
    expectSigned(read(section, { KALSHI_KEY_ID: 'an-id', KALSHI_PRIVATE_KEY: given }))
  })

  test('signs nothing if only its id is set', () => {
    expect(read(`${section}key_id = "an-id"`).kalshi?.sign).toBeUndefined()
  })

  test('is refused without its id, or if it is not a key; its text is not shown', () => {
    expect(refusalOf(`${section}private_key_file = "kalshi.pem"`)).toBe(
      'kalshi.key_id must be the id of the API key whose private key is given',
    )
    expect(refusalOf(section, { KALSHI_KEY_ID: 'an-id', KALSHI_PRIVATE_KEY: 'secret-text' })).toBe(
      'KALSHI_PRIVATE_KEY must hold an RSA key in PEM',
    )
    expect(refusalOf(`${section}key_id = "i"\nprivate_key_file = "none.pem"`)).toEndWith('none.pem: ENOENT')
  })
})

describe('an error shows what was given and what is accepted', () => {
  test.each([
    ['', 'no venue is named: add [polymarket] or [kalshi]'],
    ['[polymarkt]\nall = true', 'unknown setting "polymarkt": did you mean polymarket?'],
    ['[kalshi]\nticker = ["A"]', 'unknown setting "kalshi.ticker": did you mean tickers?'],
    ['[kalshi]\nzebra = 1', 'unknown setting "kalshi.zebra": docs/recording.md lists the settings'],
    ['[kalshi]\ntickers = "A"', 'kalshi.tickers must be a list of tickers in quotes, got "A"'],
    ['[kalshi]\ntickers = [1]', 'kalshi.tickers must be a list of tickers in quotes, got [1]'],
    ['[kalshi]\ntickers = ["A", "B", "A"]', 'kalshi.tickers must name each only once, got "A" more than once'],
    [
      '[kalshi]\nws_url = "http://x"',
      'kalshi.ws_url must be a ws or wss address without a user name or "#", got "http://x"',
    ],
    ['[kalshi]\nws_url = "ws://u:pw@x/"', 'without a user name or "#", got "ws://***@x/"'],
    ['[kalshi]\nws_url = "ws://:pw@x/"', 'without a user name or "#", got "ws://***@x/"'],
    ['[kalshi]\nws_url = "ws://x:99999/"', 'kalshi.ws_url must be a ws or wss address'],
    ['[kalshi]\nws_url = "ws://["', 'kalshi.ws_url must be a ws or wss address'],
    [
      '[kalshi]\nrest_url = "http://x/?a=b"',
      'kalshi.rest_url must be an http or https address without a user name, "?"',
    ],
    ['[kalshi]\nrest_url = "http://u:pw@x"', 'or "" for none, got "http://***@x"'],
    ['[polymarket]\ngamma_url = "http://x:y"', 'polymarket.gamma_url must be an http or https address'],
    ['[kalshi]\nws_url = "http://u:pw@x/?from=1&key=bb_s&to=2"', 'got "http://***@x/?from=1&key=********&to=2"'],
    ['[kalshi]', '[kalshi] selects no market: set tickers, events, series or categories, or all = true'],
    [
      '[kalshi]\nall = true\nrest_url = ""',
      '[kalshi] selects markets that REST must find: set rest_url, or name tickers alone',
    ],
    [
      '[polymarket]',
      '[polymarket] selects no market: set asset_ids, slugs, events, tags, series or volume_min, or all = true',
    ],
    [
      '[polymarket]\nslugs = ["a"]\ngamma_url = ""',
      '[polymarket] selects markets that Gamma must find: set gamma_url, or name asset_ids alone',
    ],
    [
      '[polymarket]\nasset_ids = ["0x12"]',
      'polymarket.asset_ids must be a list of token ids in quotes, each of up to 78 digits, got ["0x12"]',
    ],
    ['commit_seconds = "5"\n[kalshi]\nall = true', 'must be a number from 0.1 to 600 without quotes, got "5"'],
    [
      'flush_seconds = 1\n[kalshi]\nall = true',
      'unknown setting "flush_seconds": docs/recording.md lists the settings',
    ],
    ['kalshi = 1', 'kalshi must be a section of settings, got 1'],
  ])('%j', (text, message) => {
    expect(refusalOf(text)).toContain(message)
  })

  test('all faults in one message', () => {
    expect(refusalOf('commit_seconds = 0\n[kalshi]\nticker = ["A"]')).toBe(
      'commit_seconds must be a number from 0.1 to 600, got 0; unknown setting "kalshi.ticker": did you mean tickers?',
    )
  })
})

test('a machine without a usable name is identified by its own setting', () => {
  const origin = { folder, variables: {}, name: 'record.toml' }
  const config = recordConfigOf({ recorder_id: 'b', kalshi: { tickers: ['A'] } }, origin)
  expect(config.recorderId).toBe('b')
  expect(read(MINIMAL).recorderId).toMatch(/^[a-z0-9][a-z0-9-]*$/)
})
