import { describe, expect, it } from '@jest/globals'
import { Params } from '../../../src/stores/duckdb/read/params.js'
import type { Scope } from '../../../src/stores/duckdb/read/source.js'
import { type ResultRow, runStatement, streamRows } from '../../../src/stores/duckdb/read/statement.js'

const COLUMNS = 24
/** A full chunk of the engine. */
const ROWS = 2_048

/** A result of one chunk that calls `onColumn` as each of its columns is taken out. */
function scopeOf(signal: AbortSignal, onColumn: () => void): Scope {
  const values = (column: number): readonly string[] => {
    onColumn()
    return Array.from({ length: ROWS }, (_, row) => `${column} ${row}`)
  }
  const chunk = {
    columnCount: COLUMNS,
    rowCount: ROWS,
    getColumnValues: values,
    getColumns: () => Array.from({ length: COLUMNS }, (_, column) => values(column))
  }
  const result = {
    columnNames: () => Array.from({ length: COLUMNS }, (_, column) => `c${column}`),
    chunkCount: 1,
    getChunk: () => chunk,
    async *[Symbol.asyncIterator]() {
      yield chunk
    }
  }
  const statement = { bind: () => undefined, run: async () => result, stream: async () => result, destroySync: () => undefined }
  return { snapshot: { connection: { prepare: async () => statement } }, signal } as unknown as Scope
}

async function streamed(scope: Scope): Promise<readonly ResultRow[]> {
  const rows: ResultRow[] = []
  for await (const some of streamRows(scope, 'SELECT', new Params())) rows.push(...some)
  return rows
}

describe.each([
  ['read at once', (scope: Scope) => runStatement(scope, 'SELECT', new Params())],
  ['streamed', streamed]
])('one chunk of many columns, %s', (_, read) => {
  it('lets the event loop go on between its columns', async () => {
    const columnsOfTurns = [0]
    const count = (): void => void columnsOfTurns.push(0)
    const scope = scopeOf(new AbortController().signal, () => {
      if (columnsOfTurns[columnsOfTurns.length - 1]!++ === 0) setImmediate(count)
    })
    const rows = await read(scope)
    expect(rows).toHaveLength(ROWS)
    expect(rows[7]).toMatchObject({ c0: '0 7', c23: '23 7' })
    expect(Math.max(...columnsOfTurns)).toBeLessThanOrEqual(2)
  })

  it('stops between its columns when the caller has left', async () => {
    const caller = new AbortController()
    let taken = 0
    const scope = scopeOf(caller.signal, () => {
      if (++taken === 5) caller.abort(new Error('left'))
    })
    await expect(read(scope)).rejects.toThrow('left')
    expect(taken).toBeLessThan(8)
  })
})
