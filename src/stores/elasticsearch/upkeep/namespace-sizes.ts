import type { NamespaceId } from '../../../domain/ids.js'
import type { NamespaceSize } from '../../../ports/stores.js'
import type { Generations } from '../index/generations.js'
import { isPool } from '../index/index-names.js'
import type { IndexCalls, IndexSize } from './index-calls.js'

/** Sizes per namespace; of a shared index each has its part by number of documents. */
export async function namespaceSizes(generations: Generations, calls: IndexCalls): Promise<readonly NamespaceSize[]> {
  const all = await generations.all()
  const sizes = await calls.sizes(all.map(({ index }) => index))
  const sums = new Map<NamespaceId, { bytes: number; records: number }>()
  const add = (ns: NamespaceId, bytes: number, records: number): void => {
    const sum = sums.get(ns) ?? { bytes: 0, records: 0 }
    sums.set(ns, { bytes: sum.bytes + bytes, records: sum.records + records })
  }
  for (const { owner, index } of all) {
    const size: IndexSize | undefined = sizes.get(index)
    if (!size || size.documents === 0) continue
    if (!isPool(owner)) add(owner as NamespaceId, size.bytes, size.documents)
    else
      for (const [ns, documents] of await calls.documentsByNamespace([index]))
        add(ns as NamespaceId, Math.round((size.bytes * documents) / size.documents), documents)
  }
  return [...sums].map(([namespace, sum]) => ({ namespace, ...sum }))
}
