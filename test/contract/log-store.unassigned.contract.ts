import { expect, it } from '@jest/globals'
import type { Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { PartFault, UnassignedLog, UnassignedLogs, WrittenPatterns } from '../../src/ports/unassigned-logs.js'
import { find, free, known, messagesOf, store, type LogSketch } from './log-fixtures.js'
import { BASE_NS, describeStores, newNamespace, type OpenStores } from './store-under-test.js'

const KNOWN = 'aaaaaaaaaaaaaaaaaaaa'
const FOUND = ['bbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccc']
const SKETCHES = [{ patternId: KNOWN }, { at: 1, message: 'one' }, { at: 2, patternId: KNOWN }, { at: 3, message: 'two' }]
const LONG = `${'0123456789'.repeat(4_000)} end`

/** A log with all that is found by terms of its own. */
const RICH: LogSketch = {
  ...{ at: 7, message: `ÉCLAIR ${LONG}`, service: 'shop', level: 'warn', levelText: 'W', severityNumber: 13 },
  ...{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', isTruncated: true },
  fields: { status: 404, 'http.path': '/a', deep: { list: ['x', 1.5, null] }, long: LONG, '\u001f': 'unit' },
  tags: { region: 'eu', status: 404 }
}
const FINDS_RICH: readonly Filter[] = [
  { kind: 'contains', field: known('message'), value: 'éclair 0123' },
  { kind: 'contains', field: known('message'), value: '9 end' },
  { kind: 'eq', field: known('pattern_id'), value: FOUND[0]! },
  { kind: 'eq', field: known('trace_id'), value: '4bf92f3577b34da6a3ce929d0e0e4736' },
  { kind: 'eq', field: free('status'), value: '404.0' },
  { kind: 'range', field: free('status'), gte: '404', lt: '405' },
  { kind: 'eq', field: free('deep.list'), value: 'x' },
  { kind: 'eq', field: free('long'), value: LONG },
  { kind: 'eq', field: free('region'), value: 'eu' },
  { kind: 'eq', field: free('\u001f'), value: 'unit' }
]

/** All logs of a part without a pattern. */
async function readAll(unassigned: UnassignedLogs, ns: NamespaceId, part: string): Promise<readonly UnassignedLog[]> {
  const all: UnassignedLog[] = []
  for (;;) {
    const page = await unassigned.page(ns, { part, after: all.at(-1)?.place ?? -1 })
    if (typeof page === 'string') throw new Error(page)
    if (page.length === 0) return all
    all.push(...page)
  }
}

async function onlyPart(unassigned: UnassignedLogs, ns: NamespaceId): Promise<readonly [string, readonly UnassignedLog[]]> {
  const parts = await unassigned.parts(ns)
  expect(parts.length).toBe(1)
  return [parts[0]!.part, await readAll(unassigned, ns, parts[0]!.part)]
}

/** Gives these logs patterns: the first to the message `one`, the second to others. */
function assign(
  unassigned: UnassignedLogs,
  ns: NamespaceId,
  part: string,
  logs: readonly UnassignedLog[]
): Promise<WrittenPatterns | PartFault> {
  const places = Float64Array.from(logs, ({ place }) => place)
  return unassigned.assign(ns, part, { places, of: Uint32Array.from(logs, log => (log.message === 'one' ? 0 : 1)), ids: FOUND })
}

/** Patterns for stored logs. */
export function logUnassignedContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore unassigned`, open, of => {
    it('gives logs the patterns that they lack, and changes nothing else', async () => {
      const { logs } = of()
      const [ns, other] = [newNamespace(), newNamespace()]
      await store(logs, ns, SKETCHES)
      await store(logs, other, SKETCHES)
      const [before, others] = [await find(logs, ns), await find(logs, other)]
      expect((await logs.unassigned.parts(ns)).map(part => part.logs)).toEqual([2])
      const [part, page] = await onlyPart(logs.unassigned, ns)
      expect(new Set(page.map(({ message }) => message))).toEqual(new Set(['one', 'two']))
      expect(await assign(logs.unassigned, ns, part, page)).toMatchObject({ assigned: 2 })
      const ids: Readonly<Record<string, string | undefined>> = { one: FOUND[0], two: FOUND[1] }
      expect(await find(logs, ns)).toEqual(before.map(log => ({ ...log, patternId: ids[log.message] ?? KNOWN })))
      expect(await find(logs, other)).toEqual(others)
      expect([await logs.unassigned.parts(ns), (await logs.unassigned.parts(other)).length]).toEqual([[], 1])
    })

    it('leaves a log whole, and found by all that it was found by', async () => {
      const { logs } = of()
      const ns = newNamespace()
      await store(logs, ns, [{ message: 'other', patternId: KNOWN }, RICH])
      const before = await find(logs, ns)
      const [part, page] = await onlyPart(logs.unassigned, ns)
      expect(page).toEqual([{ message: RICH.message, timestampNs: BASE_NS + 7n, place: expect.any(Number) }])
      const assigned = { places: Float64Array.of(page[0]!.place), of: Uint32Array.of(0), ids: FOUND }
      expect(await logs.unassigned.assign(ns, part, assigned)).toMatchObject({ assigned: 1 })
      expect(await find(logs, ns)).toEqual(before.map(log => ({ ...log, patternId: log.patternId ?? FOUND[0] })))
      for (const filter of FINDS_RICH) expect([filter, await messagesOf(logs, ns, filter)]).toEqual([filter, [RICH.message]])
    })

    it('goes on behind the logs of a page, and with those that are left of a part', async () => {
      const { logs } = of()
      const ns = newNamespace()
      const count = 2_500
      await store(
        logs,
        ns,
        Array.from({ length: count }, (_, at) => ({ at, message: `message ${at}` }))
      )
      const [part, all] = await onlyPart(logs.unassigned, ns)
      expect(new Set(all.map(({ message }) => message)).size).toBe(count)
      expect(all.every(({ place }, i) => i === 0 || place > all[i - 1]!.place)).toBe(true)
      const written = (await assign(logs.unassigned, ns, part, all.slice(0, 700))) as WrittenPatterns
      expect(written.assigned).toBe(700)
      const left = await logs.unassigned.page(ns, written.next!)
      expect((left as readonly UnassignedLog[]).slice(0, 3).map(log => log.message)).toEqual(
        all.slice(700, 703).map(log => log.message)
      )
      expect((await logs.unassigned.parts(ns)).map(each => each.logs)).toEqual([count - 700])
    })

    it('gives deleted logs none', async () => {
      const { logs } = of()
      const ns = newNamespace()
      await store(logs, ns, SKETCHES)
      await logs.deleteBefore(ns, BASE_NS + 2n)
      const [, page] = await onlyPart(logs.unassigned, ns)
      expect(page.map(({ message }) => message)).toEqual(['two'])
      const { part } = (await logs.unassigned.parts(ns))[0]!
      await logs.dropNamespace(ns)
      expect([await logs.unassigned.parts(ns), await logs.unassigned.page(ns, { part, after: -1 })]).toEqual([[], 'gone'])
    })

    it('has nothing of an empty namespace, and knows no part of it', async () => {
      const { unassigned } = of().logs
      const ns = newNamespace()
      expect(await unassigned.parts(ns)).toEqual([])
      expect(await unassigned.page(ns, { part: 'none', after: -1 })).toBe('gone')
      expect(await assign(unassigned, ns, 'none', [])).toBe('gone')
    })

    it('takes a number of logs that a step may have', () => {
      expect(of().logs.unassigned.maxAssigned).toBeGreaterThan(1_000)
    })
  })
}
