import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from '../report.js'

const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** Files that the page loads before its first rows, by following the imports of index.html and of the page of logs. */
function firstPageScripts(): readonly string[] {
  const entry = /src="\.\/assets\/([^"]+)"/.exec(readFileSync(join(DIST, 'index.html'), 'utf8'))![1]!
  const source = (name: string): string => readFileSync(join(DIST, 'assets', name), 'utf8')
  const imports = (name: string): string[] =>
    [...source(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(match => match[1]!)
  const page = [...source(entry).matchAll(/import\("\.\/([^"]+\.js)"\)|import\(`\.\/([^`]+\.js)`\)/g)]
    .map(match => match[1] ?? match[2]!)
    .find(name => source(name).includes('Logs over time'))
  const seen = new Set<string>()
  const rest = [entry, ...(page === undefined ? [] : [page])]
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    rest.push(...imports(name))
  }
  return [...seen]
}

/** Sizes of the built console. */
export function sizes(): readonly Row[] {
  const folder = join(DIST, 'assets')
  const kb = (name: string): number => {
    const stored = join(folder, `${name}.gz`)
    return statSync(readdirSync(folder).includes(`${name}.gz`) ? stored : join(folder, name)).size / 1_000
  }
  const first = firstPageScripts()
  const lazy = readdirSync(folder).filter(name => name.endsWith('.js') && !first.includes(name))
  const styles = readdirSync(folder).filter(name => name.endsWith('.css'))
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + kb(name), 0)
  return [
    { what: 'JavaScript of the first page, kB gzip', median: sum(first), goal: 190 },
    { what: 'all style sheets, kB gzip', median: sum(styles), goal: 20 },
    { what: 'largest lazy script, kB gzip', median: Math.max(0, ...lazy.map(kb)), goal: 145 }
  ]
}
