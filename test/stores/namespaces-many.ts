import { parseArgs } from 'node:util'
import type { NamespaceId } from '../../src/domain/ids.js'
import { MATCH_ALL } from '../../src/domain/filter.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId, newNamespace } from '../contract/fresh-ids.js'
import { toLog } from '../contract/log-fixtures.js'
import { toSpan, traceIdOf } from '../contract/trace-fixtures.js'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'
import { engineApi, openElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { bucketsNamed, openInfluxSite } from '../support/influx-fixture.js'
import { type ManyReport, mustEqual, type NamespaceLife, liveMany } from './namespace-lives.js'

// npm run namespaces -- --dedicated 300 --pooled 5000 --buckets 20 --points 500: so many namespaces are made, written, read and
// deleted on one Elasticsearch and one InfluxDB of its own; ends with 1 at the first thing that is not as it should be.
const { values } = parseArgs({
  options: {
    dedicated: { type: 'string', default: '300' },
    pooled: { type: 'string', default: '5000' },
    buckets: { type: 'string', default: '20' },
    points: { type: 'string', default: '500' }
  }
})
const [dedicated, pooled, buckets, points] = [values.dedicated, values.pooled, values.buckets, values.points].map(Number) as [
  number,
  number,
  number,
  number
]

const print = (what: string, report: ManyReport): void =>
  void process.stdout.write(
    `${what}: ${report.namespaces} namespaces written in ${report.writtenS.toFixed(1)} s, read in ${report.readS.toFixed(1)} s, deleted in ${report.deletedS.toFixed(1)} s\n`
  )

type SearchStores = Awaited<ReturnType<Awaited<ReturnType<typeof openElasticsearchSite>>['open']>>

/** Two logs and a trace of two spans. */
function logsAndTraces({ logs, traces }: SearchStores): NamespaceLife {
  const messagesOf = (ns: NamespaceId): string[] => [`first of ${ns}`, `second of ${ns}`]
  const trace = traceIdOf(1)
  return {
    write: async ns => {
      const items = messagesOf(ns).map((message, i) => toLog({ message, at: i }, i))
      mustEqual('logs', await logs.append(ns, { ingestId: newIngestId(), items }), { accepted: 2, deduplicated: 0, failures: [] })
      const spans = [1, 2].map(id => toSpan({ trace, id, name: `${id} of ${ns}`, at: id }, id))
      mustEqual('spans', await traces.append(ns, { ingestId: newIngestId(), items: spans }), {
        accepted: 2,
        deduplicated: 0,
        failures: []
      })
    },
    settle: async ns => {
      await logs.settle(ns)
      await traces.settle(ns)
    },
    read: async ns => {
      const rows = { limit: 10, order: 'asc' } as const
      const found = await logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, rows, total: true }, NEVER)
      const { spans } = await traces.trace(ns, trace, 10, NEVER)
      return { logs: found.rows!.map(({ message }) => message), total: found.total!.value, spans: spans.map(({ name }) => name) }
    },
    expected: ns => ({ logs: messagesOf(ns), total: 2, spans: [1, 2].map(id => `${id} of ${ns}`) }),
    nothing: { logs: [], total: 0, spans: [] },
    drop: async ns => {
      await logs.dropNamespace(ns)
      await traces.dropNamespace(ns)
    }
  }
}

/** Documents in all indices, as the server itself counts them. */
async function documentsIn({ access }: RunningServer): Promise<number> {
  await engineApi(access, 'POST', '/*alidade*/_refresh')
  return ((await engineApi(access, 'GET', '/*alidade*/_count')) as { count: number }).count
}

async function indicesOf(server: RunningServer, pattern: string): Promise<number> {
  const response = (await engineApi(server.access, 'GET', `/${pattern}/_settings?filter_path=*.settings.index.uuid`)) as object
  return Object.keys(response).length
}

async function onElasticsearch(): Promise<void> {
  const server = await RunningServer.start(RECIPES.es8)
  try {
    const site = await openElasticsearchSite(server.access, { placement: 'pooled', search: 'exact' })
    try {
      const stores = await site.open()
      const own = Array.from({ length: dedicated }, () => newNamespace())
      for (const ns of own) site.namespaces.setPlan(ns, { placement: 'dedicated', search: 'exact' })
      const whileThere = async (): Promise<void> =>
        mustEqual('indices of dedicated namespaces', await indicesOf(server, '*alidade*'), 2 * dedicated)
      print('Elasticsearch, dedicated', await liveMany(own, logsAndTraces(stores), whileThere))
      mustEqual('indices that are left', await indicesOf(server, '*alidade*'), 0)
      const shared = Array.from({ length: pooled }, () => newNamespace())
      print('Elasticsearch, pooled', await liveMany(shared, logsAndTraces(stores)))
      mustEqual('documents that are left', await documentsIn(server), 0)
    } finally {
      await site.close()
    }
  } finally {
    await server.stop()
  }
}

async function onInfluxDb(): Promise<void> {
  const server = await RunningServer.start(RECIPES.influx)
  try {
    const site = await openInfluxSite(server.access)
    try {
      const { metrics } = await site.open({ limits: { maxDedicated: buckets } })
      const labels = (ns: NamespaceId): { name: string; value: string }[] => [{ name: 'of', value: ns }]
      const life: NamespaceLife = {
        write: async ns => {
          const point = { index: 0, name: 'many', type: 'gauge', labels: labels(ns), timestampNs: BASE_NS, value: 7 } as const
          mustEqual('points', (await metrics.append(ns, { ingestId: newIngestId(), items: [point] })).accepted, 1)
        },
        settle: ns => metrics.settle(ns),
        read: async ns => {
          const found = await metrics.select(ns, { matchers: [], range: EVERY_TIME, maxSeries: 10, maxSamples: 10 }, NEVER)
          return found.map(series => [series.labels.find(({ name }) => name === 'of')?.value, ...series.values])
        },
        expected: ns => [[ns, 7]],
        nothing: [],
        drop: ns => metrics.dropNamespace(ns)
      }
      const all = Array.from({ length: buckets + points }, () => newNamespace())
      const whileThere = async (): Promise<void> =>
        mustEqual('buckets of namespaces', (await bucketsNamed(server.access, 'ns_')).length, Math.min(buckets, all.length))
      print(`InfluxDB, ${buckets} of them dedicated`, await liveMany(all, life, whileThere))
      mustEqual('buckets that are left', (await bucketsNamed(server.access, 'ns_')).length, 0)
    } finally {
      await site.close()
    }
  } finally {
    await server.stop()
  }
}

if (dedicated + pooled > 0) await onElasticsearch()
if (buckets + points > 0) await onInfluxDb()
process.stdout.write('every namespace held what was written to it and nothing else, and nothing once it was deleted\n')
