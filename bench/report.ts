import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** One line of the printed table: column name to value. */
export type Row = Readonly<Record<string, string | number | null>>

/** What a measurement gives back. */
export interface Report {
  readonly title: string
  readonly rows: readonly Row[]
  /** Sentences below the table. */
  readonly notes: readonly string[]
}

/** Three significant digits for small numbers, thousands separated for large ones. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '–'
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? formatNumber(value) : value
}

/** A Markdown table with a heading; the columns are those of all rows, in order of appearance. */
export function toMarkdown(report: Report): string {
  const columns = [...new Set(report.rows.flatMap(row => Object.keys(row)))]
  const lines = [columns, columns.map(() => '---'), ...report.rows.map(row => columns.map(column => cell(row[column])))]
  const table = lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
  const notes = report.notes.map(note => `- ${note}`).join('\n')
  return [`### ${report.title}`, table, notes].filter(part => part !== '').join('\n\n')
}

/** The machine, in one line. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU'
  return `${cpus().length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
}

/** Writes the report as JSON into bench/results/ and gives the file's path. */
export function saveReport(name: string, report: Report, atMs: number): string {
  const folder = fileURLToPath(new URL('results/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const at = new Date(atMs).toISOString()
  const file = `${folder}${name}-${at.slice(0, 19).replaceAll(':', '')}.json`
  writeFileSync(file, `${JSON.stringify({ at, machine: machine(), ...report }, null, 2)}\n`)
  return file
}
