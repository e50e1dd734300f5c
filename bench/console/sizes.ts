import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ASSETS = fileURLToPath(new URL('../../console/dist/assets/', import.meta.url))
const INDEX = fileURLToPath(new URL('../../console/dist/index.html', import.meta.url))
/** The map of countries has a budget of its own, and is never loaded without its table. */
const MAP = /^world-map-/
const BYTES_PER_KB = 1_000

/** Scripts that a script imports, and those that it loads later. */
function importsOf(name: string): { readonly now: readonly string[]; readonly later: readonly string[] } {
  const source = readFileSync(join(ASSETS, name), 'utf8')
  const found = (pattern: RegExp): readonly string[] => [...source.matchAll(pattern)].map(match => match[1]!)
  return {
    now: found(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g),
    later: found(/\bimport\(\s*["'`]\.\/([^"'`]+\.js)["'`]\s*\)/g)
  }
}

/** Scripts that the page loads before its first rows: those of index.html and of the page of logs, with all their imports. */
export function firstPageScripts(): readonly string[] {
  const [, entry] = /src="\.\/assets\/([^"]+\.js)"/.exec(readFileSync(INDEX, 'utf8'))!
  const page = importsOf(entry!).later.find(name => readFileSync(join(ASSETS, name), 'utf8').includes('Logs over time'))
  if (page === undefined) throw new Error('no script of the console has the page of logs')
  const seen = new Set<string>()
  const rest = [entry!, page]
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    rest.push(...importsOf(name).now)
  }
  return [...seen]
}

/** Size as the gateway sends it to a browser that accepts gzip, in kB. */
function sentKb(name: string): number {
  const stored = join(ASSETS, `${name}.gz`)
  return statSync(existsSync(stored) ? stored : join(ASSETS, name)).size / BYTES_PER_KB
}

/** A size and its budget, in kB as sent with gzip. */
export type Size = { readonly what: string; readonly median: number; readonly goal: number }

/** Sizes of the built console. */
export function sizes(): readonly Size[] {
  const names = readdirSync(ASSETS)
  const first = firstPageScripts()
  const lazy = names.filter(name => name.endsWith('.js') && !first.includes(name))
  const styles = names.filter(name => name.endsWith('.css'))
  const sum = (of: readonly string[]): number => of.reduce((total, name) => total + sentKb(name), 0)
  const largest = (of: readonly string[]): number => Math.max(0, ...of.map(sentKb))
  return [
    { what: 'JavaScript of the first page, kB gzip', median: sum(first), goal: 190 },
    { what: 'all style sheets, kB gzip', median: sum(styles), goal: 20 },
    { what: 'largest script of a later page, kB gzip', median: largest(lazy.filter(name => !MAP.test(name))), goal: 40 },
    { what: 'map of countries, kB gzip', median: largest(lazy.filter(name => MAP.test(name))), goal: 60 }
  ]
}
