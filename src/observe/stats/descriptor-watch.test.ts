// A lack of free file descriptors is logged once a minute, and shown for a minute afterwards.

import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { watchDescriptors } from './descriptor-watch.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

test('a shortage is logged once a minute and shown for a minute', () => {
  const lines: unknown[] = []
  let elapsedMs = 0
  let code: string | null = null
  const watch = watchDescriptors({
    log: { error: (...line: unknown[]) => void lines.push(line) },
    probe: () => {
      if (code !== null) throw failure(code)
    },
    elapsedMs: () => elapsedMs,
  })
  expect(watch.state()).toMatchObject({ isShort: false })
  code = 'EMFILE'
  for (; elapsedMs < 59_000; elapsedMs += 1_000) watch.check()
  expect(lines).toHaveLength(1)
  code = null
  elapsedMs += 58_000
  expect(watch.state()).toMatchObject({ isShort: true })
  elapsedMs += 2_000
  expect(watch.state()).toMatchObject({ isShort: false })
  code = 'ENFILE'
  watch.check()
  expect(lines).toHaveLength(2)
})

test('another failure is no shortage', () => {
  const log = { error: () => expect.unreachable() }
  const probe = () => {
    throw failure('EACCES')
  }
  expect(watchDescriptors({ log, probe }).state().isShort).toBe(false)
})

test.skipIf(process.platform !== 'linux')('a server without free descriptors logs this, and continues', async () => {
  const script = `
    import { listen } from '${join(import.meta.dir, '../../http/server/listen.ts')}'
    import { createLog } from '${join(import.meta.dir, '../log/log.ts')}'
    import { watchDescriptors } from '${join(import.meta.dir, 'descriptor-watch.ts')}'
    const server = listen(() => new Response('here'), { host: '127.0.0.1', port: 0 })
    setInterval(watchDescriptors({ log: createLog({ format: 'json' }) }).check, 100)
    console.log(server.port)`
  const limited = ['bash', '-c', 'ulimit -n 64; exec "$0" -e "$1"', process.execPath, script]
  const server = Bun.spawn(limited, { stdout: 'pipe', stderr: 'pipe' })
  const port = Number(new TextDecoder().decode((await server.stdout.getReader().read()).value))
  const clients = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
  for (const client of clients) client.on('error', () => undefined)
  const { value } = await server.stderr.getReader().read()
  expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ level: 'error', error: { code: 'EMFILE' } })
  for (const client of clients) client.destroy()
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
  server.kill()
})
