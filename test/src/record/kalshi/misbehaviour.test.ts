// What Kalshi does, and what it should not do. Uses a connection of the recorder with real sockets and segments.

import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { kalshiRecordings } from '../../../support/venues/begun-kalshi.ts'

const { begin, open } = kalshiRecordings()

describe('the handshake', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  test('is signed again for each socket; neither key nor signature is in the segments', async () => {
    const { recording, server } = await open({ publicKey, privateKey: privateKeyPem })
    const first = server.peers[0]!.upgrade.headers
    server.peers[0]!.socket.drop()
    await recording.until(() => server.peers.length === 0 && !recording.connection.isOpen)
    await recording.seconds(1)
    await recording.settled()
    const second = server.peers[0]!.upgrade.headers
    expect(second['kalshi-access-signature']).not.toBe(first['kalshi-access-signature'])
    const text = JSON.stringify(recording.lines)
    for (const secret of [first, second].map((headers) => headers['kalshi-access-signature']!)) {
      expect(secret.length).toBeGreaterThan(300)
      expect(text).not.toContain(secret)
    }
    expect(text).not.toContain('key-1')
    expect(text).not.toContain(privateKeyPem.split('\n')[3])
  })

  test('is refused without a signature, and tried again with growing pauses', async () => {
    const { recording, server, stats } = await begin({ publicKey })
    await recording.until(() => stats.connectFailures === 1)
    await recording.seconds(2)
    await recording.until(() => stats.connectFailures === 2)
    expect(server.opened).toBe(0)
    expect(recording.connection.isOpen).toBe(false)
  })

  test.each([
    ['with Retry-After', { 'retry-after': '7' }, 7],
    ['without Retry-After', {}, 1],
  ])('429 %s waits', async (_, headers, seconds) => {
    const { recording, server, stats } = await open()
    server.refusals.push({ status: 429, headers })
    server.peers[0]!.socket.drop()
    await recording.until(() => !recording.connection.isOpen)
    await recording.seconds(1)
    await recording.until(() => stats.connectFailures === 1)
    await recording.seconds(seconds - 1)
    expect(server.opened).toBe(1)
    await recording.seconds(2)
    await recording.settled()
    expect(server.opened).toBe(2)
  })
})

describe('frames', () => {
  test('end with a newline, and are stored with it; Pings are answered', async () => {
    const { recording, server } = await open()
    server.delta('A', 'yes', 4_000, 500)
    server.peers[0]!.socket.ping('heartbeat')
    await recording.drained()
    await recording.until(() => server.pongs.includes('heartbeat'))
    const raw = recording.lines.flatMap((line) => (line.raw === undefined ? [] : [line.raw]))
    expect(raw.length).toBeGreaterThan(5)
    expect(raw.filter((text) => !text.endsWith('}\n'))).toEqual([])
    expect(recording.framesOf('orderbook_delta').map(({ msg }) => msg)).toEqual(server.history.map(({ msg }) => msg))
  })

  test('that repeat are stored apart from the records, and make no hole', async () => {
    const { recording, server } = await open()
    server.delta('A', 'yes', 4_000, 500)
    server.peers[0]!.repeat()
    server.delta('A', 'yes', 4_000, 100)
    await recording.drained()
    expect(recording.framesOf('orderbook_delta').map(({ seq }) => seq)).toEqual([3, 4])
    expect(recording.states('aside')).toHaveLength(1)
    expect([recording.gaps, recording.states('sequence_hole')]).toEqual([[], []])
  })

  test('of unknown types and frames that are not JSON are stored and counted', async () => {
    const { recording, server, stats } = await open()
    const { socket } = server.peers[0]!
    socket.text('{"type":"weather","sid":1,"seq":3,"msg":{"is":"fine"}}\n')
    socket.text('{"type":')
    socket.text('[]')
    await recording.drained()
    expect([stats.unknown.get('weather'), stats.unknown.get('no JSON')]).toEqual([1, 1])
    const raw = recording.lines.map((line) => line.raw)
    for (const text of ['{"type":"weather","sid":1,"seq":3,"msg":{"is":"fine"}}\n', '{"type":', '[]']) {
      expect(raw).toContain(text)
    }
  })

  test('of 2 MB are stored whole', async () => {
    const { recording, server } = await open()
    const text = `{"type":"weather","msg":{"is":"${'x'.repeat(2 << 20)}"}}\n`
    server.peers[0]!.socket.text(text)
    await recording.drained()
    expect(recording.lines.some(({ raw }) => raw === text)).toBe(true)
  })
})

describe('the connection', () => {
  test('that ends in the middle of a frame is opened again; the partial frame is dropped', async () => {
    const { recording, server } = await open()
    server.delta('A', 'yes', 4_000, 500)
    await recording.drained()
    await recording.seconds(5)
    server.peers[0]!.socket.partOf('{"type":"trade","sid":2,"seq":1,"msg":{"market_ticker":"A"}}', 30)
    server.peers[0]!.socket.drop()
    await recording.until(() => !recording.connection.isOpen)
    server.delta('A', 'yes', 4_000, 100)
    expect(server.history.at(-1)!.isDelivered).toBe(false)
    await recording.seconds(1)
    await recording.settled()
    expect(recording.gaps).toEqual(['A disconnect 1..6000 snapshot', 'B disconnect 1..6000 snapshot'])
    expect(recording.framesOf('trade')).toEqual([])
  })

  test('that is opened again gets the same sids, with sequence numbers that restart', async () => {
    const { recording, server } = await open()
    for (let change = 1; change < 10; change++) server.delta('A', 'yes', 4_000, change)
    await recording.drained()
    server.peers[0]!.socket.close(1011)
    await recording.until(() => !recording.connection.isOpen)
    await recording.seconds(1)
    await recording.settled()
    server.delta('A', 'yes', 4_000, 1)
    await recording.drained()
    expect(
      recording
        .framesOf('orderbook_delta')
        .map(({ sid, seq }) => `${sid} ${seq}`)
        .slice(-2),
    ).toEqual(['1 11', '1 3'])
    expect(recording.states('sequence_hole')).toEqual([])
  })

  test('that freezes without a Pong is replaced within 32 s', async () => {
    const { recording, server, stats } = await open()
    const [peer] = server.peers
    peer!.isFrozen = true
    peer!.socket.isSilent = true
    await recording.seconds(29)
    expect(Object.fromEntries(stats.reconnects)).toEqual({})
    await recording.seconds(3)
    await recording.settled()
    expect(Object.fromEntries(stats.reconnects)).toEqual({ silence: 1 })
    expect(recording.gaps.map((gap) => gap.split(' ').slice(0, 2).join(' '))).toEqual(['A silence', 'B silence'])
  })

  test('that is quiet and answers pings stays open: silence does not mean it is dead', async () => {
    const { recording, server, stats } = await open()
    server.peers[0]!.isFrozen = true
    await recording.seconds(120)
    expect([server.opened, Object.fromEntries(stats.reconnects)]).toEqual([1, {}])
  })

  test('that is frozen but answers pings is detected by an audit', async () => {
    const { recording, server, stats } = await open({ hasRest: true, auditsPerSecond: 1 })
    server.peers[0]!.isFrozen = true
    server.delta('A', 'yes', 4_000, 500)
    for (let i = 0; i < 40 && server.opened === 1; i++) await recording.seconds(1)
    await recording.settled()
    expect(stats.audits.inconsistent).toBe(1)
    expect(recording.gaps[0]).toStartWith('A silence 1..')
    expect(recording.framesOf('orderbook_snapshot').at(-2)!.msg['yes_dollars_fp']).toEqual([['0.4000', '5.00']])
  })

  test('that ends within the maintenance has a planned gap', async () => {
    const { recording, server } = await open({ isMaintenance: true })
    server.peers[0]!.socket.drop()
    await recording.until(() => !recording.connection.isOpen)
    await recording.seconds(1)
    await recording.settled()
    expect(recording.gaps.map((gap) => gap.split(' ')[1])).toEqual(['maintenance', 'maintenance'])
  })
})
