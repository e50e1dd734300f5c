import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { fold, needsFoldColumn } from '../../src/domain/case-folding.js'
import { foldedSql } from '../../src/stores/duckdb/read/text-condition.js'

const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code).filter(code => code < 0xd800 || code > 0xdfff)
// The engine's reader drops a byte order mark at the start of a text, so strings are compared behind a letter.
const LEADER = '-'
const STRINGS = CODE_POINTS.map(code => `${LEADER}${String.fromCodePoint(code)}`)
/** Code points are queried in strings of this length: what folding costs the engine is mostly a cost per text. */
const PER_TEXT = 256

function codePointStrings(joined: readonly unknown[]): readonly string[] {
  const chars = [...(joined as readonly string[]).join('')]
  return Array.from({ length: chars.length / 2 }, (_, i) => `${chars[2 * i]!}${chars[2 * i + 1]!}`)
}

describe('case folding next to DuckDB', () => {
  let lower: readonly string[]
  let folded: readonly string[]

  beforeAll(async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const result = await connection.run(
      `SELECT lower(text), ${foldedSql('text')} FROM (
         SELECT code // ${PER_TEXT} AS part, string_agg('${LEADER}' || chr(code::INTEGER), '' ORDER BY code) AS text
         FROM range(0, 1114112) AS codes(code) WHERE code < 55296 OR code > 57343 GROUP BY part) ORDER BY part`
    )
    ;[lower, folded] = (await result.getColumns()).map(codePointStrings) as [readonly string[], readonly string[]]
    connection.closeSync()
    instance.closeSync()
  })

  it('stores a folded text for exactly the code points whose lower() is another text', () => {
    const wrong = STRINGS.filter((text, i) => needsFoldColumn(text) !== (lower[i] !== fold(text)))
    expect(wrong).toEqual([])
    expect(lower).toHaveLength(STRINGS.length)
  })

  it('folds every code point in SQL as in TypeScript', () => {
    // U+10FFFF, a noncharacter, replaces the dotted capital I while SQL folds.
    const wrong = STRINGS.filter((text, i) => folded[i] !== fold(text) && text !== `${LEADER}\u{10ffff}`)
    expect(wrong).toEqual([])
  })
})
