// Collects the lines that an archive's rows become, and the rejected rows.

import type { RowReader } from '../../../workers/load/capture-reading.ts'

export class CollectedLines implements RowReader {
  /** Each entry is `number: text`. */
  readonly all: string[] = []
  readonly rejects: { row: number; reason: string; source: string }[] = []

  line(bytes: Uint8Array, start: number, end: number, number: number): void {
    this.all.push(`${number}: ${Buffer.from(bytes.subarray(start, end)).toString()}`)
  }

  reject(row: number, reason: string, source: Uint8Array): void {
    this.rejects.push({ row, reason, source: Buffer.from(source).toString() })
  }

  longLine(): void {}
  end(): void {}

  formOf(): undefined {
    return undefined
  }

  values(): boolean {
    return false
  }
}
