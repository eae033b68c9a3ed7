// Finds the Python of this machine, for files that its programs read and for examples that it runs.

import { isPresent } from '../../run/missing.ts'

/** Returns a Python that has all of `modules`; undefined if there is none. */
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

/** Makes pandas read the CSV next to a Parquet file if pyarrow is missing. The values are the same. */
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
  /** Converts a request for a Parquet file into a request for the file that `prelude` reads. */
  written(request: string): string
}

/** Returns a Python for code that reads Parquet with pandas, and also imports `modules`. */
export function pandasPython(...modules: string[]): PandasPython | undefined {
  const whole = findPython(['pandas', 'pyarrow', ...modules])
  if (whole !== undefined) return { python: whole, prelude: '', written: (request) => request }
  const python = pythonWith('pandas', ...modules)
  if (python === undefined) return undefined
  const written = (request: string) => request.replaceAll('.parquet', '.csv').replaceAll('format=parquet', 'format=csv')
  return { python, prelude: PARQUET_BY_CSV, written }
}
