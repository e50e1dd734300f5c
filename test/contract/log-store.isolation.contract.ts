import { expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { recordId } from '../../src/domain/ids.js'
import { ingestIdAt } from './fresh-ids.js'
import { find, free, known, messagesOf, store, storeApart, toLog } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

/** Namespaces apart, and what deletions remove. */
export function logIsolationContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore isolation`, open, of => {
    it('shows no method of one namespace anything of another, though their ids begin alike', async () => {
      const a = newNamespace()
      const b = `${a}b` as typeof a
      const ingestId = newIngestId()
      await store(of().logs, a, [{ message: 'of a', service: 'sa', fields: { fa: 1 } }])
      await store(of().logs, b, [{ message: 'of b', service: 'sb', fields: { fb: 1 } }], ingestId)
      const facets = [{ field: known('service'), filter: MATCH_ALL, limit: 5 }]
      const histogram = { startNs: BASE_NS, stepNs: 10n, count: 1 }
      for (const [ns, letter] of [
        [a, 'a'],
        [b, 'b']
      ] as const) {
        const rows = { limit: 9, order: 'desc' } as const
        const request = { range: EVERY_TIME, filter: MATCH_ALL, rows, total: true, histogram, facets }
        const found = await of().logs.search(ns, request, NEVER)
        expect(found.rows!.map(({ message }) => message)).toEqual([`of ${letter}`])
        expect(found.total!.value).toBe(1)
        expect(found.histogram![0]!.counts).toEqual([1])
        expect(found.facets![0]!.values.map(({ value }) => value)).toEqual([`s${letter}`])
        const fields = await of().logs.fields(ns, { range: EVERY_TIME, filter: MATCH_ALL, limit: 9, sampleRows: 9 }, NEVER)
        expect(fields.fields.map(({ field }) => field.name)).toEqual([`f${letter}`])
        const streamed: string[] = []
        const stream = of().logs.stream(ns, { range: EVERY_TIME, filter: MATCH_ALL, order: 'asc' }, NEVER)
        for await (const page of stream) streamed.push(...page.map(({ message }) => message))
        expect(streamed).toEqual([`of ${letter}`])
      }
      expect(await of().logs.get(a, recordId(ingestId, 0))).toBeNull()
      expect(await of().logs.get(b, recordId(ingestId, 0))).toMatchObject({ message: 'of b' })
    })

    it('removes what is before a time and keeps the rest, the other namespaces too', async () => {
      const [ns, other] = [newNamespace(), newNamespace()]
      for (const each of [ns, other])
        await storeApart(
          of().logs,
          each,
          [1, 2, 3].map(at => ({ at, message: `m${at}` }))
        )
      await of().logs.deleteBefore(ns, BASE_NS + 2n)
      await of().logs.deleteBefore(ns, BASE_NS + 2n)
      expect(await messagesOf(of().logs, ns)).toEqual(['m2', 'm3'])
      expect(await messagesOf(of().logs, other)).toEqual(['m1', 'm2', 'm3'])
      const total = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, total: true }, NEVER)
      expect(total.total!.value).toBe(2)
    })

    it('does not hide what comes after a deletion, however old it is', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [{ at: 1, message: 'before' }])
      await of().logs.deleteBefore(ns, BASE_NS + 5n)
      await storeApart(of().logs, ns, [{ at: 2, message: 'after' }])
      expect(await messagesOf(of().logs, ns)).toEqual(['after'])
      await of().logs.deleteBefore(ns, BASE_NS + 3n)
      expect(await messagesOf(of().logs, ns)).toEqual([])
    })

    it('does not hide what comes after a deletion under an id of an earlier time, as bodies of OTLP have', async () => {
      const ns = newNamespace()
      const earlier = ingestIdAt(Date.now() - 5 * 3_600_000)
      await storeApart(of().logs, ns, [
        { at: 1, message: 'before' },
        { at: 9, message: 'later' }
      ])
      await of().logs.deleteBefore(ns, BASE_NS + 5n)
      expect(await store(of().logs, ns, [{ at: 2, message: 'after' }], earlier)).toMatchObject({ accepted: 1 })
      expect(await messagesOf(of().logs, ns)).toEqual(['after', 'later'])
    })

    it('drops a namespace whole, refuses it afterwards and leaves one whose id begins alike', async () => {
      const gone = newNamespace()
      const kept = `${gone}k` as typeof gone
      for (const ns of [gone, kept]) await storeApart(of().logs, ns, [{ message: 'x' }, { message: 'y' }])
      await of().logs.dropNamespace(gone)
      await of().logs.dropNamespace(gone)
      expect(await find(of().logs, gone)).toEqual([])
      expect(await messagesOf(of().logs, kept)).toEqual(['x', 'y'])
      const late = of().logs.append(gone, { ingestId: newIngestId(), items: [toLog({}, 0)] })
      await expect(late).rejects.toMatchObject({ code: 'namespace_deleted' })
    })

    it('takes values that look like SQL as values', async () => {
      const ns = newNamespace()
      const nasty = `'; DROP TABLE logs; --" $1 {}`
      await storeApart(of().logs, ns, [{ message: nasty, service: nasty, fields: { [nasty]: nasty } }])
      expect(await messagesOf(of().logs, ns, { kind: 'eq', field: free(nasty), value: nasty })).toEqual([nasty])
      expect(await messagesOf(of().logs, ns, { kind: 'contains', field: known('message'), value: nasty })).toEqual([nasty])
      expect(await messagesOf(of().logs, ns, { kind: 'in', field: known('service'), values: [nasty] })).toEqual([nasty])
      const facet = { field: free(nasty), filter: MATCH_ALL, limit: 2, prefix: "';" }
      const found = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, facets: [facet] }, NEVER)
      expect(found.facets![0]!.values.map(({ value }) => value)).toEqual([nasty])
    })
  })
}
