import type { NamespaceId } from '../../src/domain/ids.js'
import type { SignalStores } from '../../src/ports/stores.js'
import { newNamespace } from '../contract/fresh-ids.js'
import type { ServerAccess } from '../servers/variables.js'
import { openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { openReaderStores } from '../support/reader-stores.js'

/** What is compared. */
export type ComparedStores = Pick<SignalStores, 'logs' | 'traces'>

/** The embedded store and a search store with the same random records. */
export interface TwoStores {
  readonly ns: NamespaceId
  readonly stores: readonly [ComparedStores, ComparedStores]
  close(): Promise<void>
}

/** Stores the same `batches` of random records in all of the stores. */
export type Fill = (
  stores: readonly ComparedStores[],
  ns: NamespaceId,
  random: { readonly batches: number; readonly seed: number }
) => Promise<void>

/** Begins a further generation of every index, so that the rest of the records is stored elsewhere. */
async function roll({ control }: ElasticsearchSite): Promise<void> {
  for (const generation of await control.indices.all()) {
    const number = generation.number + 1
    const index = generation.index.replace(/\d{6}$/, String(number).padStart(6, '0'))
    await control.indices.add({ ...generation, number, index, fromMs: Date.now() })
  }
}

/** Opens both with `batches` of random records, half of them in each of two indices of a pool. */
export async function openTwoStores(
  access: ServerAccess,
  fill: Fill,
  { batches, seed }: { readonly batches: number; readonly seed: number }
): Promise<TwoStores> {
  const site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
  const embedded = await openReaderStores('hot')
  const ns = newNamespace()
  const first = await site.open()
  await fill([embedded, first], ns, { batches: batches / 2, seed })
  // A neighbor in the same indices, whose records must not appear here.
  await fill([first], newNamespace(), { batches: batches / 4, seed: seed + 1 })
  await roll(site)
  // A gateway that begins now knows of the new generation.
  const second = await site.open()
  await fill([embedded, second], ns, { batches: batches / 2, seed: seed + 2 })
  return {
    ns,
    stores: [embedded, second],
    async close() {
      await site.close()
      await embedded.close()
    }
  }
}
