import { randomBytes } from 'node:crypto'
import { DEFAULT_LIMITS } from '../../src/stores/elasticsearch/limits.js'
import { isGatewayError } from '../../src/domain/errors.js'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'
import { engineApi, openElasticsearchSite, type ElasticsearchSite } from '../support/elasticsearch-fixture.js'
import { EMPTY_LOG } from '../support/empty-log.js'

// npm run faults:elasticsearch: a server of its own is killed under load, overloaded and out of shards; ends with 1 when a
// record was lost or doubled.
const WRITERS = 4
const BATCH = 200
const BATCHES = 40
const KILL_AFTER = 30
const RETRIED = ['store_unavailable', 'overloaded']

const newIngestId = createUlidSource(
  () => Date.now(),
  size => randomBytes(size)
)
const START_NS = BigInt(Date.now()) * 1_000_000n
const HOUR_NS = 3_600_000_000_000n
const EVERY_TIME = { startNs: START_NS - HOUR_NS, endNs: START_NS + HOUR_NS }

function newNamespace(): NamespaceId {
  return `nsfaults${randomBytes(6).toString('hex')}` as NamespaceId
}

function toLog(message: string, index: number): LogRecord {
  return { ...EMPTY_LOG, index, timestampNs: START_NS + BigInt(index), message, fields: { index } }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

let failed = false
function check(title: string, isGood: boolean, facts: unknown): void {
  failed ||= !isGood
  print(`${isGood ? 'ok    ' : 'BROKEN'} ${title}: ${JSON.stringify(facts)}`)
}

/** Appends one batch until it is acknowledged, always under the same ingest id. Returns how often that failed. */
async function untilStored(
  logs: Pick<LogStore, 'append'>,
  ns: NamespaceId,
  messages: readonly string[],
  untilBetter: () => Promise<unknown>
): Promise<number> {
  const batch = { ingestId: newIngestId(), items: messages.map(toLog) }
  for (let failures = 0; ; failures++) {
    try {
      await logs.append(ns, batch)
      return failures
    } catch (error) {
      if (!RETRIED.some(code => isGatewayError(error, code as 'overloaded'))) throw error
      await untilBetter()
    }
  }
}

async function countIn(logs: LogStore, ns: NamespaceId): Promise<number> {
  await logs.settle(ns)
  const found = await logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, total: true }, new AbortController().signal)
  return found.total!.value
}

async function killUnderLoad(site: ElasticsearchSite, server: RunningServer): Promise<void> {
  const { logs } = await site.open()
  const ns = newNamespace()
  let [stored, failures] = [0, 0]
  const restarts: Promise<void>[] = []
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < BATCHES; n++) {
      failures += await untilStored(
        logs,
        ns,
        Array.from({ length: BATCH }, (_, i) => `writer ${writer} batch ${n} log ${i}`),
        () => Promise.all(restarts)
      )
      stored += BATCH
      if (++batches === KILL_AFTER) restarts.push(server.kill().then(() => server.startAgain()))
    }
  }
  let batches = 0
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await Promise.all(restarts)
  const found = await countIn(logs, ns)
  check('kill -9 under load', found === stored && failures > 0, { acknowledged: stored, found, failures })
}

async function overload(site: ElasticsearchSite): Promise<void> {
  const mib = 1024 * 1024
  const stores = await site.open({ limits: { bulkSlots: 8, bulkBytes: 20 * mib, queueBytes: 1024 * mib } })
  const { logs } = stores
  const ns = newNamespace()
  const inFlight = new Set<Promise<unknown>>()
  const append: LogStore['append'] = async (of, batch) => {
    const result = logs.append(of, batch)
    inFlight.add(result)
    try {
      return await result
    } finally {
      inFlight.delete(result)
    }
  }
  // A rejected batch is sent again when another one has its result.
  const untilBetter = async (): Promise<void> => {
    if (inFlight.size > 0) await Promise.allSettled([Promise.race(inFlight)])
  }
  const messages = Array.from({ length: 80 }, () => 'y'.repeat(40_000))
  const failures = await Promise.all(Array.from({ length: 12 }, () => untilStored({ append }, ns, messages, untilBetter)))
  const found = await countIn(logs, ns)
  const numbers = await stores.gauges()
  check('more than the server takes at once', found === 12 * 80, {
    found,
    failures: failures.reduce((a, b) => a + b),
    ...numbers
  })
}

async function shardLimit(site: ElasticsearchSite): Promise<void> {
  const { logs } = await site.open()
  const setLimit = (limit: number | null) =>
    engineApi(site.access, 'PUT', '/_cluster/settings', { persistent: { 'cluster.max_shards_per_node': limit } })
  const ns = newNamespace()
  site.namespaces.setPlan(ns, { placement: 'dedicated', search: 'exact' })
  await setLimit(1)
  const batch = { ingestId: newIngestId(), items: [toLog('one', 0)] }
  const refused: unknown = await logs.append(ns, batch).catch((error: unknown) => error)
  await setLimit(null)
  const { accepted } = await logs.append(ns, batch)
  check('no shard left', isGatewayError(refused, 'store_unavailable') && accepted === 1, { refused: String(refused), accepted })
}

print(`bulks of ${DEFAULT_LIMITS.bulkBytes} bytes, ${DEFAULT_LIMITS.bulkSlots} at once`)
const server = await RunningServer.start(RECIPES.es8)
try {
  const site = await openElasticsearchSite(server.access, { placement: 'pooled', search: 'exact' })
  await killUnderLoad(site, server)
  await overload(site)
  await shardLimit(site)
  await site.close()
} finally {
  await server.stop()
}
process.exitCode = failed ? 1 : 0
