import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { UPGRADE_FAIL_POINTS } from '../../src/stores/duckdb/process/fail-points.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { type TableKind, TABLES } from '../../src/stores/duckdb/tables.js'
import { nextIngestId } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'
import { killLater, type LaterVersion, type Row, type RowsByKind, runLater } from './later-version.js'
import { BASE_MS } from './records.js'
import { unpackFolder } from './unpack.js'

const KINDS = Object.keys(TABLES) as TableKind[]

/** Each case starts a store process several times. */
const SLOW_MS = 180_000

type Columns = Pick<LaterVersion, 'steps' | 'changes'>

/** The same change of every kind. */
function everywhere<T>(change: T): Readonly<Record<TableKind, T>> {
  return Object.fromEntries(KINDS.map(kind => [kind, change])) as Record<TableKind, T>
}

const PRESENT: Columns = { steps: [], changes: {} }
const ADD = everywhere([{ add: 'spare', default: 7 }, { add: 'note' }] as const)
const WIDEN = everywhere([{ widen: 'spare', from: 'INTEGER' }] as const)
const DROP = everywhere([{ drop: 'spare', from: 'BIGINT' }] as const)
const ADDED: Columns = { steps: [ADD], changes: everywhere({ spare: 'INTEGER', note: 'VARCHAR' }) }
const WIDENED: Columns = { steps: [ADD, WIDEN], changes: everywhere({ spare: 'BIGINT', note: 'VARCHAR' }) }
const DROPPED: Columns = { steps: [ADD, WIDEN, DROP], changes: everywhere({ note: 'VARCHAR' }) }
/** Columns that the folder was written with become wider or go. */
const OLD_COLUMNS: Columns = {
  steps: [
    {
      logs: [
        { widen: 'severity', from: 'UTINYINT' },
        { widen: 'idx', from: 'INTEGER' },
        { drop: 'level_text', from: 'VARCHAR' }
      ],
      spans: [
        { widen: 'flags', from: 'INTEGER' },
        { drop: 'trace_state', from: 'VARCHAR' }
      ],
      rum: [
        { widen: 'viewport_width', from: 'INTEGER' },
        { widen: 'viewport_height', from: 'INTEGER' },
        { drop: 'page_title', from: 'VARCHAR' }
      ],
      errors: [
        { widen: 'idx', from: 'INTEGER' },
        { drop: 'stack', from: 'VARCHAR' }
      ]
    }
  ],
  changes: {
    logs: { severity: 'INTEGER', idx: 'BIGINT', level_text: null },
    spans: { flags: 'BIGINT', trace_state: null },
    rum: { viewport_width: 'BIGINT', viewport_height: 'VARCHAR', page_title: null },
    errors: { idx: 'VARCHAR', stack: null }
  }
}
const BIG = '9007199254740993'

let original: Awaited<ReturnType<typeof openTempFolder>>
let work: Awaited<ReturnType<typeof openTempFolder>>
let ns: string
/** What the folder holds, as this version reads it. */
let before: RowsByKind
let copies = 0

beforeAll(async () => {
  original = await openTempFolder()
  work = await openTempFolder()
  ns = (await unpackFolder('3', original.path)).namespaceId
  before = (await runLater(await copyWith(PRESENT, ['dump']))).rows
}, SLOW_MS)
afterAll(async () => {
  await original.remove()
  await work.remove()
})

/** Hot rows stay where they are until something is sealed on purpose. */
const QUIET = { minSegmentRows: 1, sealAgeMs: 1e13, upkeepIntervalMs: 86_400_000 }

/** A version on a copy of the folder of its own. */
async function copyWith(columns: Columns, actions: LaterVersion['actions']): Promise<LaterVersion> {
  const dataDir = join(work.path, String(copies++))
  await cp(join(original.path, 'telemetry'), dataDir, { recursive: true })
  return { dataDir, ns, ...columns, actions, limits: QUIET }
}

const MERGED = ['logs', 'rum', 'errors', 'spans'] as const
const DAY = Math.floor(BASE_MS / 86_400_000)
const DAY_NS = BigInt(DAY) * 86_400_000_000_000n
/** So many more segments of a day than are left alone. */
const ROUNDS = 9

/** Requests of one row of the first day, before all others of it, each sealed on its own. */
const MERGING = Array.from({ length: ROUNDS }, (_, n) => [
  ...MERGED.map(kind => ({ kind, ingestId: nextIngestId(), rows: 1, columns: { ts: [String(DAY_NS + BigInt(n))], idx: [0] } })),
  'seal' as const
]).flat()

function withoutMerging(rows: RowsByKind): RowsByKind {
  return Object.fromEntries(
    KINDS.map(kind => [kind, rows[kind].filter(({ ts }) => BigInt(ts!) >= DAY_NS + BigInt(ROUNDS))])
  ) as unknown as RowsByKind
}

function mapped(rows: RowsByKind, change: (row: Row, kind: TableKind) => Row): RowsByKind {
  return Object.fromEntries(KINDS.map(kind => [kind, rows[kind].map(row => change(row, kind))])) as Record<TableKind, Row[]>
}

function without(row: Row, name: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => column !== name))
}

function sorted(rows: RowsByKind): RowsByKind {
  const sortedRows = (kind: TableKind): Row[] => rows[kind].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return Object.fromEntries(KINDS.map(kind => [kind, sortedRows(kind)])) as unknown as RowsByKind
}

it('reads rows of every kind out of journal, hot tables and segments', () => {
  for (const kind of KINDS) expect([kind, before[kind].length > 20]).toEqual([kind, true])
})

const LATER_ROWS = { add: { spare: 7, note: null }, widen: { spare: '7', note: null }, drop: { note: null } }

describe.each([
  ['adds', ADDED, LATER_ROWS.add],
  ['adds and widens', WIDENED, LATER_ROWS.widen],
  ['adds, widens and drops', DROPPED, LATER_ROWS.drop]
])('a later version that %s columns of every kind', (_what, columns, added) => {
  let expected: RowsByKind
  beforeEach(() => {
    expected = mapped(before, row => ({ ...row, ...added }))
  })

  it(
    'reads the same rows at once, from segments of both formats, and after those are merged',
    async () => {
      const later = await copyWith(columns, ['dump'])
      const first = await runLater(later)
      expect(first.detail).toBe('')
      expect(sorted(first.rows)).toEqual(sorted(expected))
      const mixed = await runLater({ ...later, actions: ['seal', 'dump'] })
      expect(sorted(mixed.rows)).toEqual(sorted(expected))
      const segments = await readdir(join(later.dataDir, 'segments', ns))
      const merged = await runLater({ ...later, actions: [...MERGING, 'upkeep', 'dump'] })
      expect(sorted(withoutMerging(merged.rows))).toEqual(sorted(expected))
      const left = new Set(await readdir(join(later.dataDir, 'segments', ns)))
      for (const kind of MERGED) {
        const gone = segments.filter(name => name.startsWith(`${kind}-${DAY}-`) && !left.has(name))
        expect([kind, gone.some(name => !name.includes('.f'))]).toEqual([kind, true])
      }
    },
    SLOW_MS
  )

  it.each(UPGRADE_FAIL_POINTS)(
    'reads the same rows after a kill at %s',
    async failPoint => {
      const later = await copyWith(columns, ['dump'])
      await killLater({ ...later, failPoint })
      expect(sorted((await runLater(later)).rows)).toEqual(sorted(expected))
    },
    60_000
  )
})

describe('versions one after the other on one folder', () => {
  it(
    'keep what each of them wrote, in hot tables, journal and segments',
    async () => {
      const log = (n: number, spare: number | string): object => ({
        ...{ kind: 'logs', ingestId: nextIngestId(), rows: 1 },
        columns: { ts: [n], idx: [0], message: `message ${n}`, spare: [spare], note: `note ${n}` }
      })
      const written = (rows: RowsByKind) =>
        rows.logs.filter(({ ts }) => Number(ts) < 100).map(({ ts, spare, note }) => [ts, spare, note])
      const first = await copyWith(ADDED, [log(1, 11), 'seal', log(2, 12), 'dump', log(3, 13), 'end'])
      await killLater(first)
      const second = await runLater({ ...first, ...WIDENED, actions: [log(4, BIG), 'dump'] })
      expect(written(second.rows)).toEqual([
        ['1', '11', 'note 1'],
        ['2', '12', 'note 2'],
        ['3', '13', 'note 3'],
        ['4', BIG, 'note 4']
      ])
      const third = await runLater({ ...first, ...DROPPED, actions: ['seal', 'dump'] })
      expect(written(third.rows)).toEqual([1, 2, 3, 4].map(n => [String(n), undefined, `note ${n}`]))
    },
    SLOW_MS
  )

  it(
    'refuse what a later one wrote, with a sentence, and leave it as it is',
    async () => {
      const later = await copyWith(ADDED, ['dump'])
      const { rows } = await runLater(later)
      await expect(runLater({ ...later, ...PRESENT })).rejects.toThrow(
        new RegExp(`has format ${LAYOUT.format + 1} of a newer version of Alidade.*reads formats up to ${LAYOUT.format}.*backup`)
      )
      expect(sorted((await runLater(later)).rows)).toEqual(sorted(rows))
    },
    SLOW_MS
  )

  it(
    'refuse segments that a later one wrote when their hot file is lost',
    async () => {
      const later = await copyWith(ADDED, ['seal'])
      await runLater(later)
      for (const name of ['hot.duckdb', 'hot.duckdb.wal']) await rm(join(later.dataDir, name), { force: true })
      const segments = await readdir(join(later.dataDir, 'segments', ns))
      await expect(runLater({ ...later, ...PRESENT })).rejects.toThrow(
        new RegExp(`the segment .* has format ${LAYOUT.format + 1} of a newer version`)
      )
      expect(await readdir(join(later.dataDir, 'segments', ns))).toEqual(segments)
    },
    SLOW_MS
  )

  it(
    'refuse a journal that a later one wrote next to an older hot file',
    async () => {
      const later = await copyWith(ADDED, [
        { kind: 'logs', ingestId: nextIngestId(), rows: 1, columns: { ts: [1], idx: [0], spare: [1] } },
        'end'
      ])
      await killLater({ ...later, limits: { ...QUIET, applyAfterMs: 3_600_000 } })
      await cp(join(original.path, 'telemetry', 'hot.duckdb'), join(later.dataDir, 'hot.duckdb'))
      await cp(join(original.path, 'telemetry', 'hot.duckdb.wal'), join(later.dataDir, 'hot.duckdb.wal'))
      const journal = await readdir(join(later.dataDir, 'journal'))
      await expect(runLater({ ...later, ...PRESENT })).rejects.toThrow(
        new RegExp(`has format ${LAYOUT.format + 1} of a newer version`)
      )
      expect(await readdir(join(later.dataDir, 'journal'))).toEqual(journal)
    },
    SLOW_MS
  )
})

it(
  'widens and drops columns that the folder was written with',
  async () => {
    const expected = mapped(before, (row, kind) => {
      if (kind === 'logs') return without({ ...row, idx: String(row['idx']) }, 'level_text')
      if (kind === 'spans') return without({ ...row, flags: String(row['flags']) }, 'trace_state')
      if (kind === 'errors') return without({ ...row, idx: String(row['idx']) }, 'stack')
      if (kind !== 'rum') return row
      const sizes = { viewport_width: String(row['viewport_width']), viewport_height: String(row['viewport_height']) }
      return without({ ...row, ...sizes }, 'page_title')
    })
    const later = await copyWith(OLD_COLUMNS, ['dump'])
    expect(sorted((await runLater(later)).rows)).toEqual(sorted(expected))
    expect(sorted((await runLater({ ...later, actions: ['seal', 'dump'] })).rows)).toEqual(sorted(expected))
  },
  SLOW_MS
)
