import { join } from 'node:path'
import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { forEachGram } from '../../src/stores/duckdb/gram-index.js'
import { OpenGramIndex } from '../../src/stores/duckdb/read/open-gram-index.js'
import { writeGramIndex } from '../../src/stores/duckdb/segments/write-gram-index.js'
import { openTempFolder } from '../support/temp-folder.js'

const MIB = 1024 * 1024
const ROWS = 2_048

/** Characters of each message of a row group, which are all alike, so that the file holds them once: of 2,048 rows 16 MiB and more. */
const LENGTHS = [4_096, 4_096, 4_096, 8_192, 8_193, 10]

describe('the index of messages that repeat', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  let segment: string

  beforeAll(async () => {
    folder = await openTempFolder()
    instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    connection = await instance.connect()
    segment = join(folder.path, 'logs.parquet')
    // Filled with what is in no gram: in tests a gram costs much time.
    const message = `rpad('group' || n, list_extract([${LENGTHS.join(', ')}], n + 1), chr(9))`
    await connection.run(
      `COPY (SELECT ${message} AS message FROM (SELECT CAST(i // ${ROWS} AS INTEGER) AS n FROM range(${ROWS * LENGTHS.length}) r(i)))
       TO '${segment}' (FORMAT parquet, ROW_GROUP_SIZE ${ROWS})`
    )
  })

  afterAll(async () => {
    connection.closeSync()
    instance.closeSync()
    await folder.remove()
  })

  function groupsWith(text: string): readonly number[] {
    const slots: number[] = []
    forEachGram(Buffer.from(text), slot => slots.push(slot))
    const index = OpenGramIndex.open(segment)!
    try {
      return index.groupsWith(slots)!.flatMap((may, group) => (may ? [group] : []))
    } finally {
      index.close()
    }
  }

  it('takes as many into memory at once as their strings allow', async () => {
    const bytesAtOnce: number[] = []
    const read = connection.runAndReadAll.bind(connection)
    jest.spyOn(connection, 'runAndReadAll').mockImplementation(async (...args) => {
      const found = await read(...args)
      const strings = found.getRows().flatMap(row => row.filter(value => value instanceof DuckDBBlobValue))
      if (strings.length > 0) bytesAtOnce.push(strings.reduce((sum, { bytes }) => sum + bytes.length, 0))
      return found
    })
    expect(await writeGramIndex(connection, segment)).toBeGreaterThan(0)
    // Line ends are not counted. One row group is larger than the bound and not read at all.
    const line = ROWS - 1
    expect(bytesAtOnce.map(bytes => Math.round(bytes / MIB))).toEqual([16, 8, 16, 0])
    expect(Math.max(...bytesAtOnce)).toBeLessThanOrEqual(16 * MIB + 2 * line)
  })

  it('keeps row groups apart, and of one that was not read anything is possible', () => {
    expect(LENGTHS.map((_, group) => groupsWith(`group${group}`))).toEqual([[0, 4], [1, 4], [2, 4], [3, 4], [4], [4, 5]])
    expect(groupsWith('nowhere')).toEqual([4])
  })
})
