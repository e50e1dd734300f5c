import type { NamespaceId } from '../../src/domain/ids.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { newNamespace } from '../contract/fresh-ids.js'
import type { ServerAccess } from '../servers/variables.js'
import { openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { openReaderStores } from '../support/reader-stores.js'
import { fillAlike } from './compare-logs.js'

/** The embedded store and a search store with the same random logs. */
export interface TwoStores {
  readonly ns: NamespaceId
  readonly stores: readonly [LogStore, LogStore]
  close(): Promise<void>
}

/** Begins a further generation of every index, so that the rest of the records lies elsewhere. */
async function roll({ control }: ElasticsearchSite): Promise<void> {
  for (const generation of await control.indices.all()) {
    const number = generation.number + 1
    const index = generation.index.replace(/\d{6}$/, String(number).padStart(6, '0'))
    await control.indices.add({ ...generation, number, index, fromMs: Date.now() })
  }
}

/** Opens both with `batches` of random logs, half of them in each of two indices of a pool. */
export async function openTwoStores(
  access: ServerAccess,
  { batches, seed }: { readonly batches: number; readonly seed: number }
): Promise<TwoStores> {
  const site = await openElasticsearchSite(access, { placement: 'pooled', search: 'exact' })
  const embedded = await openReaderStores('hot')
  const ns = newNamespace()
  const first = await site.open()
  await fillAlike([embedded.logs, first.logs], ns, { batches: batches / 2, seed })
  // A neighbour in the same indices, whose records are nobody's business here.
  await fillAlike([first.logs], newNamespace(), { batches: batches / 4, seed: seed + 1 })
  await roll(site)
  // A gateway that begins now knows of the new generation.
  const { logs } = await site.open()
  await fillAlike([embedded.logs, logs], ns, { batches: batches / 2, seed: seed + 2 })
  return {
    ns,
    stores: [embedded.logs, logs],
    async close() {
      await site.close()
      await embedded.close()
    }
  }
}
