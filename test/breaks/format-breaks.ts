import type { Break } from './break.js'

const UPGRADE = 'test/formats/upgrade\\.test'

/** What must hold when a release opens the data of another one. */
export const FORMATS: readonly Break[] = [
  {
    promise: 'segments of an earlier format are read with the present columns',
    file: 'src/stores/duckdb/sealed-files.ts',
    find: 'file => layout.projection(kind, segmentFormat(file))',
    replace: '() => layout.projection(kind, layout.format)',
    tests: UPGRADE
  },
  {
    promise: 'journal entries of an earlier format are stored with the present columns',
    file: 'src/stores/duckdb/wire/packed-append.ts',
    find: 'columns: layout.upgraded(kind, format, rows, columns) }',
    replace: 'columns }',
    tests: UPGRADE
  },
  {
    promise: 'data of a newer version is refused',
    file: 'src/stores/duckdb/write/format.ts',
    find: '  if (format > layout.format) throw',
    replace: '  if (format > 1e9) throw',
    tests: UPGRADE
  }
]
