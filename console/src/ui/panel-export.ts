/** What a panel shows, for other programs: its request as a command, and its result as CSV. */

import type { Operation } from '../api/request.js'
import { formatInstantNs, parseInstantNs } from '../format/instant.js'

/** Placeholder of the token, which is never copied. */
const TOKEN = '$TOKEN'
const MAX_CSV_DEPTH = 4

/** An operation with its variables, whatever their types. */
export interface PanelRequest {
  readonly document: Operation<unknown, never> | { toString(): string }
  readonly variables: object
}

/** A word that a POSIX shell reads as it is. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A command that sends the request of a panel; the reader sets `TOKEN`. */
export function curlOf({ document, variables }: PanelRequest, base: string, namespace: string): string {
  const body = JSON.stringify({ query: document.toString(), variables })
  return [
    `curl -sS ${shellQuoted(new URL('graphql', base).href)}`,
    `-H "Authorization: Bearer ${TOKEN}"`,
    `-H ${shellQuoted(`X-Namespace-ID: ${namespace}`)}`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuoted(body)}`
  ].join(' \\\n  ')
}

/** The document, and below it its variables as JSON, as a GraphQL client takes them. */
export function graphqlOf({ document, variables }: PanelRequest): string {
  return `${document.toString().trim()}\n\n${JSON.stringify(variables, null, 2)}\n`
}

/** A cell of CSV (RFC 4180). A spreadsheet would run a text that begins like a formula, so that one gets an apostrophe. */
function csvCell(value: unknown): string {
  const text = value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = typeof value !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]|^'/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows with their header as CSV. */
export function csvOf(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [header, ...rows].map(cells => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lists that describe a result instead of being it. */
const SKIPPED = new Set(['stats', 'facets', 'warnings', 'cuts'])

/** All members of a result with their depth, outer ones first. */
function* members(result: unknown): Generator {
  let level: unknown[] = [result]
  for (let depth = 0; depth < MAX_CSV_DEPTH && level.length > 0; depth++) {
    yield* level
    level = level.flatMap(value =>
      isObject(value) ? Object.entries(value).flatMap(([key, member]) => (SKIPPED.has(key) ? [] : [member])) : []
    )
  }
}

/** Scalar members of a row under their paths; lists and deeper objects as JSON. */
function flat(row: Json, prefix = ''): readonly (readonly [path: string, value: unknown])[] {
  return Object.entries(row).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (key === '__typename') return []
    return isObject(value) && prefix === '' ? flat(value, `${key}.`) : [[prefix + key, value]]
  })
}

function rowTable(rows: readonly Json[]): string {
  const flattened = rows.map(row => new Map(flat(row)))
  const header = [...new Set(flattened.flatMap(row => [...row.keys()]))]
  return csvOf(
    header,
    flattened.map(row => header.map(key => row.get(key)))
  )
}

interface Grid {
  readonly start: string
  readonly stepMs: number
  readonly length: number
}

function isGrid(value: unknown): value is Grid {
  return isObject(value) && typeof value['start'] === 'string' && typeof value['stepMs'] === 'number'
}

/** Name and values of the series next to a grid: lists of its length, and members of `series`. */
function seriesOf(holder: Json, length: number): readonly (readonly [name: string, values: readonly unknown[]])[] {
  const own = Object.entries(holder).filter((entry): entry is [string, unknown[]] => {
    return entry[0] !== 'series' && Array.isArray(entry[1]) && entry[1].length === length
  })
  const listed = Array.isArray(holder['series']) ? holder['series'].filter(isObject) : []
  return [
    ...own,
    ...listed.map((series, index) => {
      const name = [series['legend'], series['name'], series['key']].find(value => typeof value === 'string')
      const values = [series['values'], series['counts']].find(value => Array.isArray(value))
      return [name ?? `series ${index + 1}`, (values as unknown[] | undefined) ?? []] as const
    })
  ]
}

function timeTable(holder: Json, grid: Grid): string {
  const series = seriesOf(holder, grid.length)
  const startNs = parseInstantNs(grid.start)!
  const time = (index: number): string => formatInstantNs(startNs + BigInt(Math.round(index * grid.stepMs)) * 1_000_000n)
  const rows = Array.from({ length: grid.length }, (_, index) => [time(index), ...series.map(([, values]) => values[index])])
  return csvOf(['time', ...series.map(([name]) => name)], rows)
}

function longestList(all: readonly unknown[]): readonly Json[] {
  const lists = all.filter((value): value is readonly Json[] => Array.isArray(value) && value.length > 0 && value.every(isObject))
  return lists.toSorted((a, b) => b.length - a.length)[0] ?? []
}

/** The time series of a result, or else its longest list of objects, as CSV; null when it has neither. */
export function csvOfResult(result: unknown): string | null {
  const pages: readonly unknown[] = isObject(result) && Array.isArray(result['pages']) ? result['pages'] : [result]
  const all = [...members(pages[0])]
  const holder = all.find((value): value is Json => isObject(value) && isGrid(value['grid']))
  if (holder) return timeTable(holder, holder['grid'] as Grid)
  const rows = pages.flatMap(page => longestList([...members(page)]))
  return rows.length > 0 ? rowTable(rows) : null
}
