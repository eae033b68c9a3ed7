// long: runs programs in other languages
// Runs the package of clients/python as its users do. Builds the wheel, installs it in a clean virtual environment, and
// runs its own tests against a real server. Skips parts whose programs are missing, and says so.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { pythonWith } from '../../support/programs/python.ts'
import { temporaryFolder } from '../../support/server.ts'
import { SMALL_DEMO, type SmallDemo, serveSmallDemo } from './small-demo.ts'

const PACKAGE = join(import.meta.dir, '../../../clients/python')
const python = pythonWith('ensurepip', 'requests', 'venv')
const clients = python === undefined ? describe.skip : describe

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
const SOURCES = file('package')
const VENV = file('venv')
let demo: SmallDemo

async function run(command: string[], cwd = SOURCES): Promise<{ code: number; out: string; err: string }> {
  const env = { ...demo.env, PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

clients(`the Python package${python === undefined ? ': skipped, no python3 has venv and requests' : ''}`, () => {
  beforeAll(async () => {
    demo = await serveSmallDemo()
    cpSync(PACKAGE, SOURCES, { recursive: true })
    // Takes requests and pandas from the system, if it has them. Downloads nothing.
    const made = await run([python!, '-m', 'venv', '--system-site-packages', VENV])
    expect([made.code, made.err]).toEqual([0, ''])
    const pip = [join(VENV, 'bin/pip'), '--quiet', '--no-input', '--no-cache-dir']
    const built = await run([...pip, 'wheel', '--no-index', '--no-deps', '--wheel-dir', file('wheels'), '.'])
    expect([built.code, built.err]).toEqual([0, ''])
    const [wheel] = [...new Glob('*.whl').scanSync(file('wheels'))]
    const installed = await run([...pip, 'install', '--no-index', join(file('wheels'), wheel!)])
    expect([installed.code, installed.err]).toEqual([0, ''])
  }, 120_000)
  afterAll(async () => {
    await demo[Symbol.asyncDispose]()
  })

  test('its tests pass against a server', async () => {
    const words = ['-W', 'ignore::ResourceWarning', '-m', 'unittest', 'discover', '-v', '-t', '.', '-s', 'tests']
    const { code, err } = await run([join(VENV, 'bin/python'), ...words])
    for (const [, name, reason] of err.matchAll(/^(\w+) .*skipped '(.*)'$/gm))
      console.log(`${name}: skipped, ${reason}`)
    if (code !== 0) console.error(err)
    expect(code).toBe(0)
    expect(Number(/^Ran (\d+) tests/m.exec(err)?.[1])).toBeGreaterThan(30)
  }, 180_000)

  test('the examples of docs/python.md run, one after the other', async () => {
    const text = await Bun.file(join(PACKAGE, '../../docs/python.md')).text()
    const [open, ...blocks] = Array.from(text.matchAll(/```python\n([\s\S]*?)```/g), ([, block]) => block!)
    expect(blocks.length).toBeGreaterThan(5)
    const script = [open!.replace(/Client\(.*\)/, 'Client()'), ...blocks].join('\n')
    const has = (module: string) => Bun.spawnSync([python!, '-c', `import ${module}`], { stderr: 'ignore' }).success
    if (!has('pandas')) return console.log('docs/python.md: skipped, pandas is not installed')
    await Bun.write(file('example.py'), script)
    // Runs the script twice: the second run continues at the stored cursor and has nothing left to read.
    await run([join(VENV, 'bin/python'), file('example.py')], folder.path)
    const { code, out, err } = await run([join(VENV, 'bin/python'), file('example.py')], folder.path)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^polymarket 0x2f76/m)
    expect(out).toContain('(24, 6)')
    expect(out).toContain('market_not_stored')
    const records = (await Bun.file(file('records.ndjson')).text()).trimEnd().split('\n')
    const whole = await demo.get(`/kalshi/market/data?ticker=${SMALL_DEMO.kalshiTicker}&date=${SMALL_DEMO.date}`)
    expect(records.map((line) => JSON.parse(line))).toEqual(((await whole.json()) as { data: object[] }).data)
    expect([await Bun.file(file('cursor.txt')).text(), await Bun.file(file('minutes.csv')).exists()]).toEqual([
      '',
      true,
    ])
  }, 180_000)

  test('the build makes a source archive, which builds the same wheel', async () => {
    const script = `import backbook_build as build, hashlib, sys
print(build.build_sdist(sys.argv[1]))
print(hashlib.sha256(open(sys.argv[1] + '/' + build.build_wheel(sys.argv[1]), 'rb').read()).hexdigest())`
    const made = file('made')
    mkdirSync(made)
    const of = (folder: string) => run([python!, '-c', script, made], join(folder, 'build_backend'))
    const [archive, digest] = (await of(SOURCES)).out.trim().split('\n')
    await run(['tar', '-xzf', join(made, archive!), '-C', made])
    const unpacked = await of(join(made, archive!.replace('.tar.gz', '')))
    expect(unpacked).toMatchObject({ code: 0, out: `${archive}\n${digest}\n` })
    const [wheel] = [...new Glob('*.whl').scanSync(file('wheels'))]
    const bytes = await Bun.file(join(file('wheels'), wheel!)).arrayBuffer()
    expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(digest!)
  })
})
afterAll(() => folder[Symbol.dispose]())
