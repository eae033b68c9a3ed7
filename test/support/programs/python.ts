// The Python of this machine, for what its programs read and run.

/** A Python that has all of `modules`; undefined where there is none. */
export const pythonWith = (...modules: string[]): string | undefined =>
  ['/usr/bin/python3', 'python3'].find((program) => {
    try {
      return Bun.spawnSync([program, '-c', `import ${modules.join(', ')}`], { stderr: 'ignore' }).success
    } catch {
      return false
    }
  })

/** Reads the CSV beside a Parquet file, in pandas where pyarrow is missing: the values are the same. */
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
  /** To be run before code that reads Parquet. */
  prelude: string
  /** What writes a Parquet file, made to write what `prelude` reads. */
  written(request: string): string
}

/** For code that reads Parquet with pandas, and imports `modules` beside it. */
export function pandasPython(...modules: string[]): PandasPython | undefined {
  const whole = pythonWith('pandas', 'pyarrow', ...modules)
  if (whole !== undefined) return { python: whole, prelude: '', written: (request) => request }
  const python = pythonWith('pandas', ...modules)
  if (python === undefined) return undefined
  const written = (request: string) => request.replaceAll('.parquet', '.csv').replaceAll('format=parquet', 'format=csv')
  return { python, prelude: PARQUET_BY_CSV, written }
}
