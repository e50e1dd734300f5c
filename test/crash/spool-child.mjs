// One life of a spool before an engine that fails now and then, as its parent configures: acknowledged batches are printed, what
// the engine stores is appended to a file. The parent kills this process at some line.
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs'
import { GatewayError } from '../../dist/src/domain/errors.js'
import { recordId } from '../../dist/src/domain/ids.js'
import { openSpool } from '../../dist/src/stores/spool/open-spool.js'
import { monitorJobs } from '../../dist/src/telemetry/background-jobs.js'
import { systemClock } from '../../dist/src/telemetry/system-clock.js'

const [folder, storedFile, life, share] = process.argv.slice(2)
const stored = new Set(existsSync(storedFile) ? readFileSync(storedFile, 'utf8').split('\n') : [])
const LANES = ['nslane000001', 'nslane000002', 'nslane000003']

// The kind of each of the engine's responses: `share` of them are failures, half of which come after it has stored.
async function append(ns, { items }) {
  await new Promise(resolve => setImmediate(resolve))
  const fails = Math.random() < Number(share)
  if (fails && Math.random() < 0.5) throw new GatewayError('store_unavailable', 'before')
  const ids = items.map(({ id }) => id).filter(id => !stored.has(id))
  for (const id of ids) stored.add(id)
  if (ids.length > 0) appendFileSync(storedFile, `${ids.join('\n')}\n`)
  if (fails) throw new GatewayError('store_unavailable', 'after')
  return { accepted: ids.length, deduplicated: items.length - ids.length, failures: [] }
}

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
const spool = await openSpool({
  folder,
  clock: systemClock,
  logger,
  jobs: monitorJobs({ clock: systemClock, logger }),
  limits: { segmentBytes: 20_000, backoffMs: 2, maxBackoffMs: 8, minFreeBytes: 0, replayRecords: 20 }
})
const none = async () => undefined
const { logs, metrics } = spool.spooled({
  name: 'file',
  health: async () => [],
  sizes: async () => [],
  gauges: async () => ({}),
  close: none,
  logs: { append, settle: none },
  metrics: { append, settle: none }
})
spool.start(() => undefined)

// One lane of logs, which have ids of their own, and two of points, which must arrive in order. Ids rise within a lane and
// over lives: in an id the lane follows the life.
async function runLane(lane) {
  for (let n = 0; ; n++) {
    const ingestId = `01J${life.padStart(6, '0')}${lane}${String(n).padStart(16, '0')}`
    const items = Array.from({ length: 1 + (n % 3) }, (_, index) => ({ index, id: recordId(ingestId, index) }))
    await (lane === 0 ? logs : metrics).append(LANES[lane], { ingestId, items })
    for (const { id } of items) writeSync(1, `${id}\n`)
  }
}

async function drain() {
  for (const ns of LANES) {
    while (spool.waiting(ns).length > 0) await Promise.all([logs.settle(ns), metrics.settle(ns)]).catch(() => undefined)
  }
  await spool.close()
}

await (share === '0' ? drain() : Promise.all(LANES.map((_, lane) => runLane(lane))))
