import { describe, expect, it } from '@jest/globals'
import { TableLayout } from '../../../src/stores/duckdb/table-layout.js'
import type { Columns } from '../../../src/stores/duckdb/field-columns.js'
import { type ColumnChange, type FormatStep, TABLES } from '../../../src/stores/duckdb/tables.js'
import type { NamedColumns } from '../../../src/stores/duckdb/wire/columns.js'

/** A layout whose formats 2, 3, ... change errors so, which then have these columns. */
function layoutOf(columns: Columns, ...steps: readonly (readonly ColumnChange[])[]): TableLayout {
  const formats = steps.map((errors, i): FormatStep => ({ format: i + 2, columns: { errors } }))
  return new TableLayout({ ...TABLES, errors: columns }, formats)
}

const LAYOUT = layoutOf(
  { ts: 'BIGINT', code: 'VARCHAR', size: 'BIGINT', env: 'VARCHAR' },
  [{ add: 'size', default: 3 }, { add: 'old' }],
  [
    { widen: 'size', from: 'INTEGER' },
    { widen: 'code', from: 'UTINYINT' },
    { drop: 'old', from: 'DOUBLE' }
  ],
  [{ add: 'env', default: "it's" }]
)

describe('a layout', () => {
  it('leaves what has the present format as it is', () => {
    const columns = { ts: BigInt64Array.of(1n) }
    expect(LAYOUT.projection('errors', 4)).toBeNull()
    expect(LAYOUT.projection('logs', 1)).toBeNull()
    expect(LAYOUT.alterations('errors', 'errors_0_0', 4)).toEqual([])
    expect(LAYOUT.upgraded('errors', 4, 1, columns)).toBe(columns)
  })

  it('reads segments of each earlier format by what has changed since', () => {
    expect(LAYOUT.projection('errors', 3)).toBe(`"ts", "code", "size", CAST('it''s' AS VARCHAR) AS "env"`)
    expect(LAYOUT.projection('errors', 2)).toBe(
      `"ts", CAST("code" AS VARCHAR) AS "code", CAST("size" AS BIGINT) AS "size", CAST('it''s' AS VARCHAR) AS "env"`
    )
    expect(LAYOUT.projection('errors', 1)).toContain('CAST(CAST(3 AS INTEGER) AS BIGINT) AS "size"')
  })

  it('alters hot tables step by step', () => {
    expect(LAYOUT.alterations('errors', 'errors_1_9', 2)).toEqual([
      'ALTER TABLE hot.main.errors_1_9 ALTER COLUMN "size" TYPE BIGINT',
      'ALTER TABLE hot.main.errors_1_9 ALTER COLUMN "code" TYPE VARCHAR',
      'ALTER TABLE hot.main.errors_1_9 DROP COLUMN "old"',
      `ALTER TABLE hot.main.errors_1_9 ADD COLUMN "env" VARCHAR DEFAULT 'it''s'`
    ])
  })

  it('gives requests of an earlier format the columns that they would have now', () => {
    const sent: NamedColumns = {
      ts: BigInt64Array.of(1n, 2n),
      code: Uint8Array.of(7, 8),
      size: Int32Array.of(-1, 5),
      old: Float64Array.of(1, 2)
    }
    const found = LAYOUT.upgraded('errors', 2, 2, sent)
    expect(found).toEqual({
      ts: sent['ts'],
      code: { bytes: Buffer.from('78'), lengths: Uint32Array.of(1, 1) },
      size: BigInt64Array.of(-1n, 5n),
      env: { shared: Buffer.from("it's") }
    })
    expect(LAYOUT.upgraded('errors', 1, 2, {})['size']).toEqual(BigInt64Array.of(3n, 3n))
  })

  it('keeps missing numbers missing', () => {
    const sent: NamedColumns = { code: { orNaN: Float64Array.of(1, Number.NaN) }, size: null }
    const { code, size } = LAYOUT.upgraded('errors', 2, 2, sent)
    expect([code, size]).toEqual([{ bytes: Buffer.from('1'), lengths: Uint32Array.of(1, 0xffffffff) }, null])
  })

  it('knows a column that was dropped and came back from what it was before', () => {
    const again = layoutOf({ ts: 'BIGINT', code: 'VARCHAR' }, [{ drop: 'code', from: 'DOUBLE' }], [{ add: 'code' }])
    expect(again.projection('errors', 1)).toBe('"ts", CAST(NULL AS VARCHAR) AS "code"')
    expect(again.upgraded('errors', 1, 1, { code: Float64Array.of(1) })).toEqual({ code: null })
  })

  it.each<[string, Columns, readonly ColumnChange[]]>([
    ['dropped and still there', { code: 'VARCHAR' }, [{ drop: 'code', from: 'VARCHAR' }]],
    ['changed and not there', { ts: 'BIGINT' }, [{ add: 'code' }]],
    ['cannot become INTEGER', { code: 'INTEGER' }, [{ widen: 'code', from: 'BIGINT' }]],
    ['must be the last ones', { code: 'VARCHAR', ts: 'BIGINT' }, [{ add: 'code' }]]
  ])('refuses a column that is %s', (what, columns, step) => {
    expect(() => layoutOf(columns, step)).toThrow(what)
  })

  it('refuses a gap in the numbers of its formats', () => {
    expect(() => new TableLayout(TABLES, [{ format: 3 }])).toThrow('format step 0 makes format 3')
  })
})
