import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { Stores } from '../../src/ports/stores.js'
import { MAX_SUFFIXES, type TraceSuffixRequest } from '../../src/ports/trace-store.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'
import { storeSpans, storeSpansApart } from './trace-fixtures.js'

const LOW = '00f067aa0ba902b7'
const OTHER_LOW = 'a2fb4a1d1a96d312'
const high = (n: number): string => n.toString(16).padStart(16, '0')
const wide = (n: number, low = LOW): string => `${high(n)}${low}`

function suffixCases(of: () => Stores): void {
  const find = async (ns: NamespaceId, request: Partial<TraceSuffixRequest> = {}) =>
    of().traces.traceIdsBySuffix(ns, { range: EVERY_TIME, suffixes: [LOW], limit: 10, ...request }, NEVER)
  const idsOf = async (...requested: Parameters<typeof find>) => (await find(...requested)).traceIds

  it('finds the traces whose ids end in the 16 digits, each once, in ascending order', async () => {
    const ns = newNamespace()
    await storeSpansApart(of().traces, ns, [
      { trace: wide(9), id: 1, at: 1 },
      { trace: wide(2), id: 1, at: 2 },
      { trace: wide(9), id: 2, at: 3 },
      { trace: wide(0), id: 1, at: 4 },
      // One digit off, and the digits in the other half.
      { trace: wide(2, '10f067aa0ba902b7'), id: 1, at: 5 },
      { trace: wide(2, '00f067aa0ba902b6'), id: 1, at: 6 },
      { trace: `${LOW}${high(2)}`, id: 1, at: 7 }
    ])
    expect(await find(ns)).toEqual({ traceIds: [wide(0), wide(2), wide(9)], complete: true, warnings: [] })
    expect(await idsOf(ns, { suffixes: ['ffffffffffffffff'] })).toEqual([])
  })

  it('finds the traces of several suffixes, the first ids of each up to the limit', async () => {
    const ns = newNamespace()
    const many = Array.from({ length: 30 }, (_, i) => ({ trace: wide(i + 1), at: i }))
    await storeSpans(of().traces, ns, [...many, { trace: wide(0xffff, OTHER_LOW), at: 99 }])
    expect(await idsOf(ns, { suffixes: [OTHER_LOW, LOW, high(7)], limit: 2 })).toEqual([
      wide(1),
      wide(2),
      wide(0xffff, OTHER_LOW)
    ])
    const unknown = Array.from({ length: MAX_SUFFIXES - 2 }, (_, i) => high(i + 1))
    expect(await idsOf(ns, { suffixes: [...unknown, LOW, OTHER_LOW], limit: 1 })).toEqual([wide(1), wide(0xffff, OTHER_LOW)])
    expect(await idsOf(ns, { suffixes: [] })).toEqual([])
  })

  it('counts the traces alone that have a span in the range', async () => {
    const ns = newNamespace()
    const day = 86_400_000_000_000n
    await storeSpansApart(of().traces, ns, [
      { trace: wide(1), id: 1, at: 0 },
      { trace: wide(2), id: 1, at: -day },
      { trace: wide(3), id: 1, at: -day },
      { trace: wide(3), id: 2, at: 10 }
    ])
    expect(await idsOf(ns, { range: { startNs: BASE_NS, endNs: BASE_NS + 11n } })).toEqual([wide(1), wide(3)])
    expect(await idsOf(ns, { range: { startNs: BASE_NS, endNs: BASE_NS + 10n } })).toEqual([wide(1)])
    expect(await idsOf(ns, { range: { startNs: BASE_NS - day, endNs: BASE_NS } })).toEqual([wide(2), wide(3)])
  })

  it('finds nothing of another namespace, and nothing that was deleted', async () => {
    const [ns, other] = [newNamespace(), newNamespace()]
    await storeSpans(of().traces, ns, [
      { trace: wide(1), at: 0 },
      { trace: wide(2), at: 5 }
    ])
    await storeSpans(of().traces, other, [{ trace: wide(3), at: 0 }])
    expect(await idsOf(ns)).toEqual([wide(1), wide(2)])
    expect(await idsOf(other)).toEqual([wide(3)])
    expect(await find(newNamespace())).toEqual({ traceIds: [], complete: true, warnings: [] })
    await of().traces.deleteBefore(ns, BASE_NS + 5n)
    expect(await idsOf(ns)).toEqual([wide(2)])
    await of().traces.dropNamespace(ns)
    expect(await idsOf(ns)).toEqual([])
    expect(await idsOf(other)).toEqual([wide(3)])
  })
}

/** Which traces are found by the low 64 bits of their ids (W3C Trace Context, interoperability with 64-bit ids). */
export function traceSuffixContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore traceIdsBySuffix`, open, suffixCases)
}
