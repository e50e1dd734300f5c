import { groupedBy } from '../../domain/grouped-by.js'
import type { TableLayout } from './table-layout.js'
import type { TableKind } from './tables.js'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { newerFormat } from './newer-format.js'

/** The last format whose segments do not state it. */
const LAST_UNNAMED = 3
const NAMED_FORMAT = /\.f(\d{1,9})\.parquet$/

/** End of the name of a segment that has the columns of a format. */
export function segmentEnding(format: number): string {
  return format > LAST_UNNAMED ? `.f${format}.parquet` : '.parquet'
}

/** The format of the columns of a segment, by its name. */
export function segmentFormat(file: string): number {
  return Number(NAMED_FORMAT.exec(file)?.[1] ?? LAST_UNNAMED)
}

/**
 * SQL of segments as a table with the present columns of their kind, and with `filename`, `file_row_number` and the `free`
 * columns, which all of the segments have, for those who select them by name. Paths come from the manifest; quotes in them
 * are doubled.
 */
export function sealedSql(layout: TableLayout, kind: TableKind, files: readonly string[], free: readonly string[] = []): string {
  const byProjection = groupedBy(files, file => layout.projection(kind, segmentFormat(file)))
  if (byProjection.size === 1 && byProjection.has(null)) return parquetSql(files)
  const parts = [...byProjection].map(([projection, group]) => {
    const columns =
      projection ??
      layout
        .names(kind)
        .map(name => `"${name}"`)
        .join(', ')
    return `SELECT ${[columns, ...free].join(', ')}, filename, file_row_number FROM ${parquetSql(group)}`
  })
  return `(${parts.join(' UNION ALL ')})`
}

function parquetSql(files: readonly string[]): string {
  return `read_parquet([${files.map(file => `'${file.replaceAll("'", "''")}'`).join(', ')}])`
}

/** Throws `conflict` when a segment has a later format than `format`, listed in a manifest or not. */
export async function requireKnownSegments(segmentsDir: string, format: number): Promise<void> {
  for (const entry of await readdir(segmentsDir, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    for (const name of await readdir(path.join(segmentsDir, entry.name))) {
      const found = segmentFormat(name)
      if (found > format) throw newerFormat(`the segment ${entry.name}/${name}`, found, format)
    }
  }
}
