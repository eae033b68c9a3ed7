// Reads from the sources which file imports which, for rules about folders.

import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/** Returns the source files, sorted. Leaves out installed packages (the bench has its own) and declarations. */
const sourcesOf = (folder: string) =>
  [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync('.')].filter((file) => !/node_modules\/|\.d\.ts$/.test(file)).sort()

/** Returns the files of a folder, without the product's tests that are next to their sources. */
export const filesOf = (folder: string) =>
  sourcesOf(folder).filter((file) => folder.startsWith('test') || !file.endsWith('.test.ts'))

/** Returns the tests that are next to their sources. */
export const testsBeside = (folder: string) => sourcesOf(folder).filter((file) => file.endsWith('.test.ts'))

export type Import = {
  /** A file of the project, or a package, or a module such as node:fs. */
  target: string
  isType: boolean
}

const STATEMENT = /^(?:import|export)( type)? [^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm
/** The file that a thread starts with. */
const ENTRY = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g

export async function importsOf(file: string): Promise<Import[]> {
  const source = await Bun.file(file).text()
  const statements = [...source.matchAll(STATEMENT)].map(([, type, from, effect, dynamic]) => {
    return { target: resolved(file, from ?? effect ?? dynamic!), isType: type !== undefined }
  })
  const entries = [...source.matchAll(ENTRY)].map(([, path]) => ({ target: resolved(file, path!), isType: false }))
  return [...statements, ...entries]
}

export type Graph = ReadonlyMap<string, readonly string[]>

/** Returns the imports of each file. Imports of types are erased at run time, so only `withTypes` counts them. */
export async function importGraph(files: readonly string[], { withTypes }: { withTypes: boolean }): Promise<Graph> {
  const graph = new Map<string, string[]>()
  for (const file of files) {
    const imports = (await importsOf(file)).filter(({ isType }) => withTypes || !isType)
    graph.set(file, [...new Set(imports.map(({ target }) => target))])
  }
  return graph
}

/** Returns the path from one of the files to the first target that matches, through imports of imports. Null if there
 *  is none. */
export function wayTo(graph: Graph, from: readonly string[], matches: (target: string) => boolean): string[] | null {
  const ways = new Map<string, string[]>(from.map((file) => [file, [file]]))
  for (const [file, way] of ways) {
    if (matches(file)) return way
    for (const target of graph.get(file) ?? []) if (!ways.has(target)) ways.set(target, [...way, target])
  }
  return null
}

/** Returns the folder of a file; for a file directly in a layer, the file itself. */
export const folderOf = (file: string) => (dirname(file).includes('/') ? dirname(file) : file)

/** Returns the arrows between folders, `from → to`, that are part of a cycle. */
export function circularArrows(graph: Graph): string[] {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of graph) {
    const from = folderOf(file)
    const to = folders.get(from) ?? new Set()
    for (const target of targets) if (graph.has(target) && folderOf(target) !== from) to.add(folderOf(target))
    folders.set(from, to)
  }
  const byFolder: Graph = new Map([...folders].map(([from, to]) => [from, [...to]]))
  const arrows = [...byFolder].flatMap(([from, all]) => all.map((to) => ({ from, to })))
  return arrows
    .filter(({ from, to }) => wayTo(byFolder, [to], (each) => each === from) !== null)
    .map(({ from, to }) => `${from} → ${to}`)
}

const resolved = (file: string, path: string) => (path.startsWith('.') ? normalize(join(dirname(file), path)) : path)
