// The Python of this machine, for what its programs read and run.

import { isPresent } from '../../run/missing.ts'

/** A Python that has all of `modules`; undefined where there is none. */
export function pythonWith(...modules: string[]): string | undefined {
  const python = findPython(modules)
  isPresent(python !== undefined, `Python with ${modules.join(', ')}`)
  return python
}

const findPython = (modules: string[]) =>
  ['/usr/bin/python3', 'python3'].find((program) => {
    try {
      return Bun.spawnSync([program, '-c', `import ${modules.join(', ')}`], { stderr: 'ignore' }).success
    } catch {
      return false
    }
  })

/** Reads the CSV next to a Parquet file, in pandas where pyarrow is missing: the values are the same. */
const PARQUET_BY_CSV = `
import pandas

def read_parquet(path, columns=None):
    frame = pandas.read_csv(path.replace(".parquet", ".csv"), usecols=columns)
    unit = "ms" if frame["timestamp"].max() > 1e11 else "s"
    frame["timestamp"] = pandas.to_datetime(frame["timestamp"], unit=unit, utc=True)
    return frame

pandas.read_parquet = read_parquet
`

export type PandasPython = {
  python: string
  /** Code that must run before code that reads Parquet. */
  prelude: string
  /** What writes a Parquet file, made to write what `prelude` reads. */
  written(request: string): string
}

/** For code that reads Parquet with pandas, and also imports `modules`. */
export function pandasPython(...modules: string[]): PandasPython | undefined {
  const whole = findPython(['pandas', 'pyarrow', ...modules])
  if (whole !== undefined) return { python: whole, prelude: '', written: (request) => request }
  const python = pythonWith('pandas', ...modules)
  if (python === undefined) return undefined
  const written = (request: string) => request.replaceAll('.parquet', '.csv').replaceAll('format=parquet', 'format=csv')
  return { python, prelude: PARQUET_BY_CSV, written }
}
