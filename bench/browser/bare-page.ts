// Opens a page in its own Chromium process, and drives it over DevTools. Leaves network events off: with them, the
// page would keep the bodies of its responses, up to 200 MB, and they would count as its memory.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHROMIUM, SIZE } from './chart-page.ts'

const LISTENING = /DevTools listening on (ws:\S+)/
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run']

type Reply = { id?: number; result?: unknown; error?: { message: string } }
type Point = { x: number; y: number }
type Box = Point & { width: number; height: number }

export class BarePage implements AsyncDisposable {
  readonly #child: Bun.Subprocess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #session: string | undefined
  #lastId = 0

  private constructor(child: Bun.Subprocess, folder: string, socket: WebSocket) {
    this.#child = child
    this.#folder = folder
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)))
  }

  static async open(address: string): Promise<BarePage> {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-chromium-'))
    const child = Bun.spawn([CHROMIUM, ...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const socket = new WebSocket(await listeningAt(child.stderr))
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    const page = new BarePage(child, folder, socket)
    const { targetId } = await page.#send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
    const attached = { targetId, flatten: true }
    page.#session = (await page.#send<{ sessionId: string }>('Target.attachToTarget', attached)).sessionId
    await page.#send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false })
    await page.#send('Page.navigate', { url: address })
    return page
  }

  async evaluate<T>(expression: string): Promise<T> {
    const params = { expression, awaitPromise: true, returnByValue: true }
    return (await this.#send<{ result: { value: T } }>('Runtime.evaluate', params)).result.value
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) await Bun.sleep(50)
  }

  boxOf(selector: string): Promise<Box> {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`)
  }

  async drag(from: Point, to: Point, steps: number): Promise<void> {
    await this.#mouse('mousePressed', from)
    for (let i = 1; i <= steps; i++) {
      await this.#mouse('mouseMoved', { x: from.x + ((to.x - from.x) * i) / steps, y: from.y })
    }
    await this.#mouse('mouseReleased', to)
  }

  async wheel({ x, y }: Point, deltaY: number): Promise<void> {
    await this.#send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY })
    await this.#frame()
  }

  /** Presses a key. `key` is its name on the keyboard; `text` is what it types, if anything. */
  async press(key: string, { text, shift = false }: { text?: string; shift?: boolean } = {}): Promise<void> {
    const pressed = { key, modifiers: shift ? 8 : 0 }
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed, ...(text !== undefined && { text }) })
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed })
    await this.#frame()
  }

  /** Returns the process id of the page, after a garbage collection. */
  async pid(): Promise<number> {
    await this.#send('HeapProfiler.collectGarbage')
    const session = this.#session
    this.#session = undefined
    type Info = { processInfo: { type: string; id: number; cpuTime: number }[] }
    const { processInfo } = await this.#send<Info>('SystemInfo.getProcessInfo')
    this.#session = session
    const pages = processInfo.filter(({ type }) => type === 'renderer')
    return pages.sort((a, b) => b.cpuTime - a.cpuTime)[0]!.id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    this.#child.kill()
    await this.#child.exited
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #mouse(type: string, { x, y }: Point): Promise<void> {
    await this.#send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 })
    await this.#frame()
  }

  #frame(): Promise<void> {
    return this.evaluate('new Promise((done) => requestAnimationFrame(() => done()))')
  }

  #send<T = unknown>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#lastId
    const reply = Promise.withResolvers<unknown>()
    this.#waiting.set(id, reply)
    this.#socket.send(JSON.stringify({ id, method, params, ...(this.#session && { sessionId: this.#session }) }))
    return reply.promise as Promise<T>
  }

  #receive({ id, result, error }: Reply): void {
    if (id === undefined) return
    const reply = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) reply?.resolve(result)
    else reply?.reject(new Error(error.message))
  }
}

async function listeningAt(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = stderr.getReader()
  let printed = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`Chromium ended before it listened: ${printed}`)
    printed += decoder.decode(value, { stream: true })
    const address = LISTENING.exec(printed)?.[1]
    if (address === undefined) continue
    // Reads and drops later output: otherwise Chromium would block on a full pipe.
    void (async () => {
      while (!(await reader.read()).done) {}
    })()
    return address
  }
}
