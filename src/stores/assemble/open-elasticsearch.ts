import { type ElasticsearchStores, openElasticsearchStores } from '../elasticsearch/elasticsearch-stores.js'
import type { EngineOf } from '../shared/engine.js'
import type { ElasticsearchServer, StoreChoice } from '../shared/store-choice.js'
import type { EngineContext } from './engine-context.js'

const NAME = 'elasticsearch'

/** Opens the stores of a cluster; one that is away fails the calls, not the start, one that can never serve fails the start. */
export async function openElasticsearch(
  server: ElasticsearchServer,
  replicas: StoreChoice['elasticsearchReplicas'],
  { control, directory, clock, logger, jobs, installation, queryTimeoutMs }: EngineContext
): Promise<EngineOf<'logs' | 'events' | 'traces'> & Pick<ElasticsearchStores, 'gaps'>> {
  const stores = await openElasticsearchStores({
    server,
    catalog: control.indices,
    namespaces: directory,
    clock,
    logger,
    jobs,
    installation,
    limits: { replicas, readTimeoutMs: queryTimeoutMs }
  })
  return { name: NAME, ...stores }
}
