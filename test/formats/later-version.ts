import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ColumnType } from '../../src/stores/duckdb/field-columns.js'
import type { ColumnChange, TableKind } from '../../src/stores/duckdb/tables.js'

const run = promisify(execFile)
const CHILD = fileURLToPath(new URL('later-child.mjs', import.meta.url))
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Rows as the child prints them: 64-bit integers as digits. */
export type Row = Readonly<Record<string, string | number | null>>
export type RowsByKind = Readonly<Record<TableKind, readonly Row[]>>

/** Columns by kind that a later version has besides those of this one; null where it lacks one. */
export type LaterColumns = Readonly<Partial<Record<TableKind, Readonly<Record<string, ColumnType | null>>>>>

/** A later version, and what it does to a folder. */
export interface LaterVersion {
  readonly dataDir: string
  readonly ns: string
  readonly steps: readonly Readonly<Partial<Record<TableKind, readonly ColumnChange[]>>>[]
  readonly changes: LaterColumns
  readonly failPoint?: string
  readonly limits?: object
  /** `end` is an end by SIGKILL; an object is a request to store. */
  readonly actions: readonly ('seal' | 'upkeep' | 'dump' | 'end' | object)[]
}

/** Runs a later version to its end; rejects with its output when it failed. */
export async function runLater(version: LaterVersion): Promise<{ readonly detail: string; readonly rows: RowsByKind }> {
  const args = ['--disable-warning=ExperimentalWarning', CHILD, JSON.stringify(version)]
  const { stdout } = await run(process.execPath, args, { maxBuffer: MAX_OUTPUT_BYTES })
  return JSON.parse(stdout) as { detail: string; rows: RowsByKind }
}

/** Runs a later version that is to end by SIGKILL on its way. */
export async function killLater(version: LaterVersion): Promise<void> {
  const signal = await runLater(version).then(
    () => null,
    (error: Error & { readonly signal?: string }) => error.signal ?? error.message
  )
  if (signal !== 'SIGKILL') throw new Error(`the later version did not end by SIGKILL: ${signal}`)
}
