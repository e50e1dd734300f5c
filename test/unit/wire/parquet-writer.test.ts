import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from '@jest/globals'
import type { ParquetValue } from '../../../src/wire/parquet/column-values.js'
import type { ParquetColumn } from '../../../src/wire/parquet/parquet-schema.js'
import { MAX_GROUP_BYTES, MAX_GROUP_ROWS, ParquetWriter } from '../../../src/wire/parquet/parquet-writer.js'
import { openTempFolder } from '../../support/temp-folder.js'

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'text', type: 'text' },
  { name: 'json', type: 'json' },
  { name: 'small', type: 'int32' },
  { name: 'large', type: 'int64' },
  { name: 'number', type: 'double' },
  { name: 'flag', type: 'boolean' },
  { name: 'time', type: 'nanoseconds' },
  { name: 'received', type: 'milliseconds' }
]
const NS = 1_795_000_000_123_456_789n

async function fileOf(columns: readonly ParquetColumn[], rows: Iterable<readonly ParquetValue[]>): Promise<Buffer> {
  const writer = new ParquetWriter(columns)
  const parts = [writer.begin()]
  for (const row of rows) {
    writer.add(row)
    if (writer.isFull) parts.push(await writer.rowGroup())
  }
  parts.push(await writer.rowGroup(), writer.end({ 'alidade.export': '{"rows":1}' }))
  return Buffer.concat(parts)
}

/** What DuckDB reads from a file of these bytes. */
async function read(bytes: Buffer, select: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const folder = await openTempFolder()
  const file = join(folder.path, 'rows.parquet')
  writeFileSync(file, bytes)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(select.replaceAll('FILE', `'${file}'`))).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
    await folder.remove()
  }
}

describe('a Parquet file', () => {
  // DuckDB reads times with a zone to the microsecond.
  it('has every type of value, and nulls, as another program reads them', async () => {
    const full = ['naïve ☃', '{"a":[1]}', -7, 2n ** 53n + 1n, 0.1, true, NS, 1_795_000_000_123]
    const none = COLUMNS.map(() => null)
    const bytes = await fileOf(COLUMNS, [full, none, ['', '{}', 0, 0, -0.5, false, 0n, 0]])
    const select =
      'SELECT text, json::VARCHAR AS json, small, large, number, flag, epoch_ns(time) AS time, epoch_ms(received) AS received'
    expect(await read(bytes, `${select} FROM read_parquet(FILE)`)).toEqual([
      {
        ...{ text: 'naïve ☃', json: '{"a":[1]}', small: -7, large: '9007199254740993', number: 0.1, flag: true },
        ...{ time: String(NS - (NS % 1_000n)), received: '1795000000123' }
      },
      { text: null, json: null, small: null, large: null, number: null, flag: null, time: null, received: null },
      { text: '', json: '{}', small: 0, large: '0', number: -0.5, flag: false, time: '0', received: '0' }
    ])
  })

  it('states the types of its columns and its metadata', async () => {
    const bytes = await fileOf(COLUMNS, [])
    const described = await read(bytes, 'DESCRIBE SELECT * FROM read_parquet(FILE)')
    expect(described.map(column => column['column_type'])).toEqual([
      ...['VARCHAR', 'JSON', 'INTEGER', 'BIGINT', 'DOUBLE', 'BOOLEAN'],
      ...['TIMESTAMP WITH TIME ZONE', 'TIMESTAMP WITH TIME ZONE']
    ])
    const [metadata] = await read(bytes, 'SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(FILE)')
    expect(metadata).toEqual({ key: 'alidade.export', value: '{"rows":1}' })
  })

  it('has a row group for so many rows', async () => {
    const columns: readonly ParquetColumn[] = [{ name: 'n', type: 'int32' }]
    const rows = Array.from({ length: 2 * MAX_GROUP_ROWS + 1 }, (_, i) => [i % 3 === 0 ? null : i])
    const bytes = await fileOf(columns, rows)
    const [sums] = await read(bytes, 'SELECT count(*) AS rows, sum(n) AS sum FROM read_parquet(FILE)')
    const sum = rows.reduce((total, [n]) => total + (n ?? 0), 0)
    expect(sums).toEqual({ rows: String(rows.length), sum: String(sum) })
    const groups = await read(bytes, 'SELECT DISTINCT row_group_num_rows AS rows FROM parquet_metadata(FILE) ORDER BY 1')
    expect(groups).toEqual([{ rows: '1' }, { rows: String(MAX_GROUP_ROWS) }])
  })

  it('ends a row group when its values are so many bytes', async () => {
    const writer = new ParquetWriter([{ name: 'text', type: 'text' }])
    writer.add(['x'.repeat(MAX_GROUP_BYTES - 5)])
    expect(writer.isFull).toBe(false)
    writer.add([''])
    expect(writer.isFull).toBe(true)
  })

  it('cannot be read without its end', async () => {
    const bytes = await fileOf(COLUMNS, [COLUMNS.map(() => null)])
    await expect(read(bytes.subarray(0, -9), 'SELECT * FROM read_parquet(FILE)')).rejects.toThrow(/parquet/i)
  })
})
