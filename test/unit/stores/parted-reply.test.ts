import { describe, expect, it } from '@jest/globals'
import { joinReply, PART_ROWS, splitReply } from '../../../src/stores/duckdb/wire/parted-reply.js'

const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ i }))

describe('a reply in parts', () => {
  it('is made of its longest array from one row over the bound on', () => {
    expect(splitReply({ rows: rows(PART_ROWS), complete: true })).toBeNull()
    expect(splitReply(rows(PART_ROWS))).toBeNull()
    expect(splitReply(undefined)).toBeNull()
    expect(splitReply('text')).toBeNull()
    expect(splitReply({ a: rows(PART_ROWS + 1), b: rows(PART_ROWS + 2) })?.member).toBe('b')
  })

  it('is the same once it is joined', () => {
    for (const reply of [rows(PART_ROWS + 1), { spans: rows(PART_ROWS + 1), hasMore: false, gone: undefined }]) {
      const { rows: sent, ...rest } = splitReply(reply)!
      expect(sent).toHaveLength(PART_ROWS + 1)
      expect(joinReply(rest, sent)).toEqual(reply)
    }
  })
})
