// The output of a command: stdout, written as fast as it is read, or a file that appears only once it is complete.

import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { CommandError, EXIT } from './program.ts'
import { terminal } from './terminal.ts'

export type Output = {
  /** Resolves when more can be written. */
  write(bytes: Uint8Array | string): Promise<void>
  /** Ends the output; renames a file to its final name. */
  end(): Promise<void>
  /** Removes an incomplete file. */
  abort(): Promise<void>
}

export function toStdout(): Output {
  return {
    write: (bytes) => writeTo(terminal().stdout, bytes),
    end: async () => undefined,
    abort: async () => undefined,
  }
}

/** Writes a file, compressed if its name ends in .gz or .zst. Throws CommandError if it exists, unless `isForced`. */
export async function toFile(path: string, isForced: boolean): Promise<Output> {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) throw new CommandError(`${path} is not a file`, EXIT.usage)
  if (there !== undefined && !isForced) {
    throw new CommandError(`${path} already exists: name another file, or use --force`, EXIT.usage)
  }
  const temporary = `${path}.${process.pid}.tmp`
  const file = createWriteStream(temporary, { flags: 'wx', flush: true })
  const packed = compressorFor(path)
  const stream: Writable = packed ?? file
  const done = packed === undefined ? finished(file) : pipeline(packed, file)
  const orCommandError = async (work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      // A stream that fails ends the others, so this reports the first failure.
      const { message } = await done.then(() => error as Error).catch((first: Error) => first)
      throw new CommandError(`cannot write ${path}: ${message}`, EXIT.failed)
    }
  }
  done.catch(() => undefined)
  return {
    write: (bytes) => orCommandError(writeTo(stream, bytes)),
    async end() {
      stream.end()
      await orCommandError(done)
      await rename(temporary, path)
    },
    async abort() {
      stream.destroy()
      await done.catch(() => undefined)
      await rm(temporary, { force: true })
    },
  }
}

function compressorFor(path: string) {
  if (path.endsWith('.gz')) return createGzip()
  return path.endsWith('.zst') ? createZstdCompress() : undefined
}

function writeTo(stream: Writable, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/** Runs `work`, then ends the output. Aborts the output if the work fails or the process is stopped. */
export async function withOutput<T>(output: Output, work: (output: Output) => Promise<T>): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    void output.abort().finally(() => process.kill(process.pid, signal))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    const result = await work(output)
    await output.end()
    return result
  } catch (error) {
    await output.abort()
    throw error
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

/** Ends the program without an error if the reader of stdout, such as `head`, stops reading. */
export function exitWhenOutputCloses(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`backbook: cannot write to stdout: ${error.message}\n`)
    process.exit(EXIT.failed)
  })
}
