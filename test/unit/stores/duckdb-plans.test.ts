import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { ManifestRow } from '../../../src/stores/duckdb/segments/manifest.js'
import { maxFiles, planMerge } from '../../../src/stores/duckdb/segments/merger.js'
import { type HotGroup, planSeal } from '../../../src/stores/duckdb/segments/seal-plan.js'
import { SnapshotPins } from '../../../src/stores/duckdb/segments/snapshot-pins.js'

const ns = 'testnamespace01' as NamespaceId

function file(rows: number, i: number): ManifestRow {
  return { kind: 'logs', ns, day: 1, file: `${i}`, rows, bytes: rows, minNs: 0n, maxNs: 1n }
}

describe('merging', () => {
  it('leaves up to eight small files alone', () => {
    const files = Array.from({ length: 8 }, (_, i) => file(100, i))
    expect(planMerge(files, 1_000_000)).toBeNull()
  })

  it('takes the smallest and no more rows than a file may have', () => {
    const files = [400, 10, 20, 30, 300, 40, 50, 60, 70, 80].map((rows, i) => file(rows, i))
    const rows = planMerge(files, 1_000)!.map(input => input.rows)
    expect(rows.slice(0, 8)).toEqual([10, 20, 30, 40, 50, 60, 70, 80])
    expect(rows.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1_000)
  })

  it('keeps a stream of equal seals within 8 + log8(n) files, each row written a few times', () => {
    let files: ManifestRow[] = []
    let written = 0
    for (let i = 0; i < 500; i++) {
      files.push(file(1_000, i))
      const inputs = planMerge(files, 4_000_000)
      if (inputs) {
        const rows = inputs.reduce((sum, input) => sum + input.rows, 0)
        written += rows
        files = [...files.filter(each => !inputs.includes(each)), file(rows, i)]
      }
      expect(files.length).toBeLessThanOrEqual(maxFiles((i + 1) * 1_000))
    }
    expect(written / 500_000).toBeLessThan(12)
  })
})

describe('sealing', () => {
  const rules = { minSegmentRows: 100, maxWaitingRows: 1_000, sealAgeMs: 600, nowMs: 1_000, isForced: false }

  function group(rows: number, sinceMs = 1_000): HotGroup {
    return { ns, day: 1, rows, minNs: 0n, maxNs: 1n, sinceMs }
  }

  it('takes groups that are large or old enough and lets the others wait', () => {
    const large = group(100)
    const old = group(1, 400)
    const young = group(99, 401)
    expect(planSeal([large, old, young], rules)).toEqual({ seal: [large, old], wait: [young] })
    expect(planSeal([young], { ...rules, isForced: true })).toEqual({ seal: [young], wait: [] })
  })

  it('takes the largest of the small ones when too many rows wait', () => {
    const groups = Array.from({ length: 30 }, (_, i) => group(30 + i))
    const { seal, wait } = planSeal(groups, rules)
    expect(wait.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(1_000)
    expect(Math.min(...seal.map(({ rows }) => rows))).toBeGreaterThanOrEqual(Math.max(...wait.map(({ rows }) => rows)))
  })
})

describe('pins', () => {
  it('hold what was retired while a snapshot from before is open, and not for later ones', () => {
    const pins = new SnapshotPins()
    const endFirst = pins.enter()
    const retiredAt = pins.retire()
    const endSecond = pins.enter()
    expect(pins.isFree(retiredAt)).toBe(false)
    endFirst()
    expect(pins.isFree(retiredAt)).toBe(true)
    expect(pins.count).toBe(1)
    endSecond()
  })
})
