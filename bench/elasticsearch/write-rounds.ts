import type { SubstringSearch } from '../../src/domain/storage-plan.js'
import { BulkSender } from '../../src/stores/elasticsearch/write/bulk-sender.js'
import { LogSource } from '../generate/logs.js'
import { Connection, requestHead } from '../load/connection.js'
import { parseCostUs } from '../load/calibrate.js'
import { inLanes } from '../load/in-lanes.js'
import { median } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Row } from '../report.js'
import { type LogBatches, logBatches } from './log-batches.js'
import { type DedicatedNamespace, makeDedicated, type SearchSite, sendSearchable } from './search-site.js'

// Below the size from which the gateway parses a body in slices.
const BATCH = 500
const BATCHES = 160
const LOGS = BATCH * BATCHES
/** Requests in flight, to the gateway as to the engine. */
const LANES = 8
/** Rounds before those that count: both machines compile what they run often. */
const WARM_UPS = 3
/** Rounds that may be given up in a mode of search because the engine stalled for so long that logs went to the spool. */
const MAX_GIVEN_UP = 10
/** Bodies that are parsed for the calibration. */
const PARSED_BATCHES = 20
const BULK_TIMEOUT_MS = 60_000

/** The goal for a mode of search: CPU of the gateway, us a log. */
const GOAL_US: Readonly<Record<SubstringSearch, number | null>> = { exact: 26, approximate: null, off: 11 }
const GOAL_RATIO = 0.85

/** One side of a round: logs a second, and CPU us a log of gateway and engine. */
interface Side {
  readonly rate: number
  readonly gatewayUs: number
  readonly engineUs: number
}

interface Round {
  readonly gateway: Side
  readonly direct: Side
  /** Requests whose logs waited in the spool: their time is not the engine's. */
  readonly spooled: number
  /** CPU us a log that `JSON.parse` of the same bodies takes at this moment: shows whether the machine is loaded or slower. */
  readonly parseUs: number
}

async function measured(site: SearchSite, send: () => Promise<number>): Promise<Side> {
  const [gatewayS, engineS] = [site.service.cpu().http, site.engineCpu()]
  const seconds = await send()
  const perLog = (cpuSeconds: number): number => (cpuSeconds * 1e6) / LOGS
  const gatewayUs = perLog(site.service.cpu().http - gatewayS)
  return { rate: LOGS / seconds, gatewayUs, engineUs: perLog(site.engineCpu() - engineS) }
}

function throughGateway(
  { service }: SearchSite,
  { ingestKey }: DedicatedNamespace,
  { json, onSpooled }: LogBatches & { readonly onSpooled: () => void }
): Promise<number> {
  const target = { host: '127.0.0.1', port: service.port, apiKey: ingestKey }
  return inLanes(json, LANES, () => {
    const connection = new Connection(target)
    const send = async (body: Buffer): Promise<void> => {
      const { status, body: text } = await connection.send(requestHead(target, '/api/v1/logs/batch', body.length), body)
      if (status !== 200) throw new Error(`gateway: ${status} ${text.slice(0, 300)}`)
      if (text.includes('"spooled"')) onSpooled()
    }
    return { send, close: () => connection.close() }
  })
}

function straight({ engine }: SearchSite, { bulks }: LogBatches): Promise<number> {
  const sender = new BulkSender(engine, BULK_TIMEOUT_MS)
  return inLanes(bulks, LANES, () => ({
    send: async bulk => {
      const outcomes = await sender.send([bulk])
      if (outcomes.flat().some(({ kind }) => kind !== 'stored')) throw new Error('a document was not stored')
    }
  }))
}

/** One round; `isReversed` lets the engine begin. */
async function oneRound(
  site: SearchSite,
  namespace: DedicatedNamespace,
  { batches, isReversed }: { batches: LogBatches; isReversed: boolean }
): Promise<Round> {
  let spooled = 0
  const samples = batches.json.slice(0, PARSED_BATCHES).map(body => body.toString())
  const parseUs = parseCostUs(samples, BATCH)
  const viaGateway = () => measured(site, () => throughGateway(site, namespace, { ...batches, onSpooled: () => void spooled++ }))
  const straightOn = () => measured(site, () => straight(site, batches))
  if (isReversed) {
    const direct = await straightOn()
    return { direct, gateway: await viaGateway(), spooled, parseUs }
  }
  const gateway = await viaGateway()
  return { gateway, direct: await straightOn(), spooled, parseUs }
}

/** Each round begins with the other side: what is left to do of one side's logs must not always burden the same other. */
async function rounds(site: SearchSite, search: SubstringSearch, { repeats, seed }: BenchOptions): Promise<readonly Round[]> {
  const namespace = await makeDedicated(site, `${search}-gateway`, search)
  const other = await makeDedicated(site, `${search}-direct`, search)
  const source = new LogSource(seed)
  const done: Round[] = []
  for (let givenUp = 0; done.length < WARM_UPS + repeats;) {
    const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
    const batches = await logBatches(source, { batches: BATCHES, batch: BATCH, startNs, index: other.index })
    const round = await oneRound(site, namespace, { batches, isReversed: done.length % 2 === 1 })
    if (round.spooled === 0) done.push(round)
    else if (++givenUp > MAX_GIVEN_UP) throw new Error(`the engine stalled for too long in ${givenUp} rounds`)
    // What still waits would burden the next round.
    else await sendSearchable(site, namespace.ingestKey, 'the spool is empty')
  }
  for (const { id } of [namespace, other]) await site.operator.call('DELETE', `/api/v1/namespaces/${id}`)
  return done.slice(WARM_UPS)
}

function toRow(step: string, { gateway, direct, parseUs }: Omit<Round, 'spooled'>, ratio: number, goal = ''): Row {
  return {
    ...{ step, gateway: gateway.rate, direct: direct.rate, ratio, goal },
    ...{ 'gateway CPU us': gateway.gatewayUs, 'engine CPU us': gateway.engineUs, 'engine CPU us direct': direct.engineUs },
    'JSON.parse us': parseUs
  }
}

function medianSide(sides: readonly Side[]): Side {
  const of = (field: keyof Side): number => median(sides.map(side => side[field]))
  return { rate: of('rate'), gatewayUs: of('gatewayUs'), engineUs: of('engineUs') }
}

/** Logs through the gateway against the same finished documents by `_bulk`, with one mode of search: a row per round, and the medians. */
export async function writeRows(site: SearchSite, search: SubstringSearch, options: BenchOptions): Promise<readonly Row[]> {
  const all = await rounds(site, search, options)
  const ratioOf = ({ gateway, direct }: Round): number => gateway.rate / direct.rate
  const each = all.map((round, i) => toRow(`logs/s, search ${search}, round ${i + 1}`, round, ratioOf(round)))
  const medians = {
    gateway: medianSide(all.map(round => round.gateway)),
    direct: medianSide(all.map(round => round.direct)),
    parseUs: median(all.map(round => round.parseUs))
  }
  const goalUs = GOAL_US[search] === null ? '' : `, ${formatNumber(GOAL_US[search])} us`
  return [...each, toRow(`**logs/s, search ${search}, medians**`, medians, median(all.map(ratioOf)), `${GOAL_RATIO}${goalUs}`)]
}
