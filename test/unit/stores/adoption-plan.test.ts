import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { type AdoptionPlan, planAdoption } from '../../../src/stores/duckdb/segments/adoption-plan.js'
import type { ManifestRow } from '../../../src/stores/duckdb/segments/manifest.js'
import { readSegmentPath } from '../../../src/stores/duckdb/segments/segment-name.js'

const NS = 'testnamespace01' as NamespaceId

const fileOf = (number: number): string => `${NS}/logs-1-1_${number}.f4.parquet`

function rowOf(number: number, rows = 10): ManifestRow {
  return { kind: 'logs', ns: NS, day: 1, file: fileOf(number), rows, bytes: 1, minNs: 0n, maxNs: 9n }
}

/** Segments by number, each with the numbers of those that it replaced; `holds` are those whose rows are in another one. */
function plan(
  unlisted: Readonly<Record<number, readonly number[]>>,
  listed: typeof unlisted,
  holds: typeof unlisted = {}
): Promise<AdoptionPlan> {
  const segments = Object.entries(unlisted).map(([number, replaces]) => {
    const row = rowOf(Number(number))
    return { ...row, named: readSegmentPath(row.file)!, replaces: replaces.map(fileOf), writtenMs: 0 }
  })
  const rows = Object.keys(listed).map(number => rowOf(Number(number)))
  return planAdoption(segments, rows, {
    markOf: async file => (listed[Number(readSegmentPath(file)!.number)] ?? []).map(fileOf),
    sourcesOf: async ({ file }, older) => {
      const held = (holds[Number(readSegmentPath(file)!.number)] ?? []).map(fileOf)
      return older.map(row => row.file).filter(each => held.includes(each))
    }
  })
}

const filesOf = (segments: readonly { readonly file: string }[]): readonly string[] => segments.map(({ file }) => file)

it('lists a merged segment whose inputs are nowhere else', async () => {
  const { adopt, superseded, replaced } = await plan({ 3: [1, 2] }, { 1: [] })
  expect(filesOf(adopt)).toEqual([fileOf(3)])
  expect(superseded).toEqual([])
  expect(replaced).toEqual([fileOf(1), fileOf(2)])
})

it('does not list the output of a merge that failed, whose inputs are still listed', async () => {
  const { adopt, superseded } = await plan({ 3: [1, 2] }, { 1: [], 2: [] })
  expect([filesOf(adopt), filesOf(superseded)]).toEqual([[], [fileOf(3)]])
})

it('does not list the output of a merge that failed, whose inputs a later merge replaced', async () => {
  const { adopt, superseded } = await plan({ 3: [1, 2] }, { 5: [1, 2, 4] }, { 5: [3] })
  expect([filesOf(adopt), filesOf(superseded)]).toEqual([[], [fileOf(3)]])
})

it('lists a merged segment of whose inputs a later merge replaced only some', async () => {
  const { adopt } = await plan({ 3: [1, 2] }, { 5: [2, 4] })
  expect(filesOf(adopt)).toEqual([fileOf(3)])
})

it('lists a merged segment whose inputs, not gone yet, a later merge of others names as replaced', async () => {
  const { adopt, superseded } = await plan({ 1: [], 2: [], 3: [1, 2], 6: [4, 5, 1, 2] }, {})
  expect([filesOf(adopt), filesOf(superseded)]).toEqual([
    [fileOf(3), fileOf(6)],
    [fileOf(1), fileOf(2)]
  ])
})
