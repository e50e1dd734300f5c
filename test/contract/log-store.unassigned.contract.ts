import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { UnassignedLog, UnassignedLogs } from '../../src/ports/unassigned-logs.js'
import { find, store } from './log-fixtures.js'
import { describeStores, newNamespace, type OpenStores } from './store-under-test.js'

const KNOWN = 'aaaaaaaaaaaaaaaaaaaa'
const FOUND = ['bbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccc']
const SKETCHES = [{ patternId: KNOWN }, { at: 1, message: 'one' }, { at: 2, patternId: KNOWN }, { at: 3, message: 'two' }]

async function pageOf(unassigned: UnassignedLogs, ns: NamespaceId): Promise<readonly [string, readonly UnassignedLog[]]> {
  const [first] = await unassigned.parts(ns)
  return [first!.part, (await unassigned.page(ns, { part: first!.part, after: -1 })) as readonly UnassignedLog[]]
}

/** Only the embedded store has the method set, all of it. */
function expectAbsence(name: string): void {
  expect(name).not.toMatch(/^DuckDB,/)
}

/** Patterns for stored logs. An engine without them has no such member, and the use case refuses with `unsupported_by_store`. */
export function logUnassignedContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore unassigned`, open, of => {
    it('gives logs the patterns that they lack, and changes nothing else', async () => {
      const { logs } = of()
      const { unassigned } = logs
      if (unassigned === undefined) return expectAbsence(name)
      const [ns, other] = [newNamespace(), newNamespace()]
      await store(logs, ns, SKETCHES)
      await store(logs, other, SKETCHES)
      const [before, others] = [await find(logs, ns), await find(logs, other)]
      expect((await unassigned.parts(ns)).map(part => part.logs)).toEqual([2])
      const [part, page] = await pageOf(unassigned, ns)
      expect(new Set(page.map(({ message }) => message))).toEqual(new Set(['one', 'two']))
      const chosen = page.map(({ message }) => (message === 'one' ? 0 : 1))
      const assigned = { places: Float64Array.from(page, ({ place }) => place), of: Uint32Array.from(chosen), ids: FOUND }
      expect(await unassigned.assign(ns, part, assigned)).toMatchObject({ assigned: 2 })
      const ids: Readonly<Record<string, string | undefined>> = { one: FOUND[0], two: FOUND[1] }
      expect(await find(logs, ns)).toEqual(before.map(log => ({ ...log, patternId: ids[log.message] ?? KNOWN })))
      expect(await find(logs, other)).toEqual(others)
      expect([await unassigned.parts(ns), (await unassigned.parts(other)).length]).toEqual([[], 1])
    })

    it('has nothing of an empty namespace, and knows no part of it', async () => {
      const { unassigned } = of().logs
      if (unassigned === undefined) return expectAbsence(name)
      const ns = newNamespace()
      expect(await unassigned.parts(ns)).toEqual([])
      expect(await unassigned.page(ns, { part: 'none', after: -1 })).toBe('gone')
      const nothing = { places: new Float64Array(), of: new Uint32Array(), ids: [] }
      expect(await unassigned.assign(ns, 'none', nothing)).toBe('gone')
    })
  })
}
