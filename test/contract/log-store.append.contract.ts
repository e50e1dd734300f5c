import { expect, it } from '@jest/globals'
import { recordId } from '../../src/domain/ids.js'
import { parseSeverity } from '../../src/domain/severity.js'
import { find, messagesOf, store, toLog } from './log-fixtures.js'
import { BASE_NS, describeStores, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

/** What an append keeps, and under which ids. */
export function logAppendContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore append`, open, of => {
    it('gives back every field of a record as it was sent', async () => {
      const ns = newNamespace()
      const ingestId = newIngestId()
      const fields = { a: { b: 1, c: [1, 'x', null] }, 'd.e': true, big: '12345678901234567890', text: 'ünï\u0000"\\' }
      const sent = toLog(
        {
          at: 123_456_789n,
          message: 'line one\nline two \u{1f600}',
          isTruncated: true,
          isServerTime: true,
          ...parseSeverity('Warning'),
          levelText: 'Warning',
          service: 'checkout',
          host: 'h-1',
          source: 'app',
          traceId: '0af7651916cd43dd8448eb211c80319c',
          spanId: 'b7ad6b7169203331',
          fields,
          tags: { team: 'shop', nested: { deep: { er: 'yes' } } }
        },
        4
      )
      await of().logs.append(ns, { ingestId, items: [sent] })
      await of().logs.settle(ns)
      const [found] = await find(of().logs, ns)
      const { index, ...content } = sent
      expect(found).toMatchObject({ ...content, id: recordId(ingestId, index) })
      expect(found!.timestampNs).toBe(BASE_NS + 123_456_789n)
      expect(Math.abs(found!.ingestedAtMs - Date.now())).toBeLessThan(60_000)
    })

    it('keeps absent, empty and null values apart where they differ', async () => {
      const ns = newNamespace()
      await store(of().logs, ns, [
        { at: 3, message: '', service: null, fields: {} },
        { at: 2, message: 'x', service: 's', fields: { empty: '', nothing: null, none: [] } }
      ])
      const [first, second] = await find(of().logs, ns)
      expect([first!.message, first!.service, first!.host]).toEqual(['', null, null])
      expect(first!.fields).toEqual({})
      expect(second!.fields).toEqual({ empty: '', nothing: null, none: [] })
    })

    it('keeps a byte order mark at the beginning of strings', async () => {
      const ns = newNamespace()
      const marked = { message: '\ufeffa', service: '\ufeffs', fields: { '\ufeffname': '\ufeffvalue' } }
      await store(of().logs, ns, [
        { at: 2, ...marked },
        { at: 1, message: 'a', service: 's', fields: { name: 'value' } }
      ])
      const [first, second] = await find(of().logs, ns)
      expect(first).toMatchObject(marked)
      expect([second!.message, second!.service, second!.fields]).toEqual(['a', 's', { name: 'value' }])
    })

    it('keeps a member called __proto__ as data', async () => {
      const ns = newNamespace()
      const fields = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, never>
      await store(of().logs, ns, [{ fields }])
      const [found] = await find(of().logs, ns)
      expect(JSON.stringify(found!.fields)).toBe('{"__proto__":{"polluted":true},"constructor":1}')
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    })

    it('stores the same ingest id once and returns the first outcome', async () => {
      const ns = newNamespace()
      const ingestId = newIngestId()
      const first = await store(of().logs, ns, [{ message: 'one' }, { message: 'two' }], ingestId)
      const second = await store(of().logs, ns, [{ message: 'one' }, { message: 'two' }], ingestId)
      expect(first).toEqual({ accepted: 2, deduplicated: 0, failures: [] })
      expect(second).toEqual({ accepted: 0, deduplicated: 2, failures: [] })
      expect(await messagesOf(of().logs, ns)).toEqual(['one', 'two'])
    })

    it('keeps the same ingest id of two namespaces apart', async () => {
      const [a, b] = [newNamespace(), newNamespace()]
      const ingestId = newIngestId()
      await store(of().logs, a, [{ message: 'of a' }], ingestId)
      await store(of().logs, b, [{ message: 'of b' }], ingestId)
      expect(await messagesOf(of().logs, a)).toEqual(['of a'])
      expect(await messagesOf(of().logs, b)).toEqual(['of b'])
    })

    it('takes an empty batch', async () => {
      const ns = newNamespace()
      expect(await store(of().logs, ns, [])).toEqual({ accepted: 0, deduplicated: 0, failures: [] })
      expect(await find(of().logs, ns)).toEqual([])
    })

    it('finds a record by its id, and only in its namespace', async () => {
      const [ns, other] = [newNamespace(), newNamespace()]
      const ingestId = newIngestId()
      await store(of().logs, ns, [{ message: 'zero' }, { message: 'one' }], ingestId)
      await store(of().logs, ns, [{ message: 'later' }])
      expect(await of().logs.get(ns, recordId(ingestId, 1))).toMatchObject({ message: 'one' })
      expect(await of().logs.get(ns, recordId(ingestId, 2))).toBeNull()
      expect(await of().logs.get(other, recordId(ingestId, 1))).toBeNull()
      expect(await of().logs.get(ns, recordId(newIngestId(), 0))).toBeNull()
    })

    it('takes 2,000 field names and finds each', async () => {
      const ns = newNamespace()
      const batches = Array.from({ length: 20 }, (_, batch) =>
        Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field_${batch * 100 + i}`, i]))
      )
      await store(
        of().logs,
        ns,
        batches.map((fields, i) => ({ message: `batch ${i}`, fields }))
      )
      for (const at of [0, 777, 1999]) {
        const filter = { kind: 'exists', field: { in: 'free', name: `field_${at}` } } as const
        expect(await messagesOf(of().logs, ns, filter)).toEqual([`batch ${Math.floor(at / 100)}`])
      }
    })
  })
}
