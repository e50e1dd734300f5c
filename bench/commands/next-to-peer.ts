import { setTimeout as sleep } from 'node:timers/promises'
import { LogSource, type LogTally } from '../generate/logs.js'
import { Connection, requestHead } from '../load/connection.js'
import { inLanes } from '../load/in-lanes.js'
import type { BenchOptions } from '../options.js'
import { timeAlternately } from '../peer/alternate.js'
import { type PeerQuery, peerQueries } from '../peer/peer-queries.js'
import { VictoriaLogsProcess } from '../peer/victoria-logs-process.js'
import type { Report, Row } from '../report.js'
import { filesUnder } from '../service/proc.js'
import { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import { timedQueries } from './query-set.js'

const BATCH = 1_000
const CONNECTIONS = 4
const HOURS = 22
const NS_PER_SECOND = 1_000_000_000n
const NDJSON = 'application/x-ndjson'
const PEER_PATH = '/insert/jsonline?_time_field=timestamp&_msg_field=message&_stream_fields=service,host'
/** When CPU and bytes are read after the last log; by the second time all background work is done. */
const SOON_MS = 15_000
const LATER_MS = 180_000

/** Logs to send, as NDJSON, and when they happened. */
interface Load {
  readonly bodies: readonly Buffer[]
  readonly rows: number
  readonly startMs: number
  readonly endMs: number
  readonly tally: LogTally
}

/** One of the two that are measured. */
interface Side {
  readonly name: string
  readonly target: { readonly host: string; readonly port: number; readonly apiKey: string }
  /** Where logs are sent to. */
  readonly path: string
  readonly folder: string
  /** CPU seconds so far. */
  cpu(): number
  memoryMb(): number
}

function makeLoad({ rows, seed }: BenchOptions): Load {
  const source = new LogSource(seed)
  const endMs = Date.now()
  const startMs = endMs - HOURS * 3_600_000
  const startNs = BigInt(startMs) * 1_000_000n
  const stepNs = (BigInt(endMs - startMs) * 1_000_000n) / BigInt(rows)
  const bodies: Buffer[] = []
  for (let made = 0; made < rows;) {
    const lines: string[] = []
    for (let i = 0; i < BATCH && made < rows; i++) {
      const at = startNs + stepNs * BigInt(made++)
      lines.push(source.next(Number(at / NS_PER_SECOND), Number(at % NS_PER_SECOND)))
    }
    bodies.push(Buffer.from(lines.join('\n'), 'latin1'))
  }
  return { bodies, rows, startMs, endMs, tally: source.tally }
}

/** Sends all bodies; returns seconds until the last acknowledgement. */
function sendAll({ target, path }: Side, bodies: readonly Buffer[]): Promise<number> {
  return inLanes(bodies, CONNECTIONS, () => {
    const connection = new Connection(target)
    return {
      close: () => connection.close(),
      send: async body => {
        const { status, body: text } = await connection.send(requestHead(target, path, body.length, NDJSON), body)
        if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
      }
    }
  })
}

function folderBytes({ folder }: Side): number {
  return filesUnder(folder).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** What writing took; `later` resolves with the bytes a log once that is over. */
async function writeTo(
  side: Side,
  { bodies, rows }: Load
): Promise<{ readonly row: Row; readonly later: () => Promise<number> }> {
  const [cpuBefore, bytesBefore] = [side.cpu(), folderBytes(side)]
  const seconds = await sendAll(side, bodies)
  const endedMs = performance.now()
  await sleep(SOON_MS)
  const bytesPerLog = (): number => (folderBytes(side) - bytesBefore) / rows
  const row: Row = {
    'logs/s': rows / seconds,
    'CPU us a log, 15 s later': ((side.cpu() - cpuBefore) * 1e6) / rows,
    'bytes a log, 15 s later': bytesPerLog()
  }
  const later = async (): Promise<number> => {
    await sleep(Math.max(0, LATER_MS - (performance.now() - endedMs)))
    return bytesPerLog()
  }
  return { row, later }
}

function ratioRow(what: string, own: number, theirs: number): Row {
  return { what, service: own, VictoriaLogs: theirs, ratio: own / theirs }
}

/** Both load the same bodies, one after the other. */
async function measureWriting(own: Side, peer: Side, load: Load, isWhole: boolean): Promise<Row[]> {
  const rest = [own.memoryMb(), peer.memoryMb()] as const
  if (!isWhole) {
    for (const side of [own, peer]) await sendAll(side, load.bodies)
    return []
  }
  const first = await writeTo(own, load)
  const second = await writeTo(peer, load)
  const rows = Object.keys(first.row).map(what => ratioRow(what, first.row[what] as number, second.row[what] as number))
  const bytes = [await first.later(), await second.later()] as const
  return [...rows, ratioRow('bytes a log, 3 minutes later', ...bytes), ratioRow('memory before, MB', ...rest)]
}

async function queryPeer(peer: VictoriaLogsProcess, queries: readonly PeerQuery[]): Promise<number> {
  const responses = await Promise.all(queries.map(({ path, params }) => peer.query(path, params)))
  return queries[0]!.count(responses[0]!)
}

async function measureReading(service: ServiceProcess, peer: VictoriaLogsProcess, load: Load): Promise<Row[]> {
  const { rows, startMs, endMs, tally } = load
  const session = await Session.operator(service)
  const theirs = peerQueries({ startMs, endMs, spanId: tally.spanId ?? '' })
  const table: Row[] = []
  for (const query of timedQueries({ from: new Date(startMs - 1).toISOString(), tally })) {
    const own = async (): Promise<number> => query.count(await query.run(session))
    const { first, second } = await timeAlternately(own, () => queryPeer(peer, theirs.get(query.name)!))
    const expected = query.expected(rows)
    const wrong = [first, second].filter(({ found }) => found !== expected)
    table.push({
      ...ratioRow(`${query.name}, ms`, first.medianMs, second.medianMs),
      found: wrong.length === 0 ? String(expected) : `${first.found}; ${second.found}, NOT ${expected}`
    })
  }
  return table
}

/** The same logs and the same queries at the service and at a VictoriaLogs, in one run. */
export function measureNextToPeer(options: BenchOptions): Promise<Report> {
  return withTemporaryFolder('alidade-bench', async folder => {
    const peer = await VictoriaLogsProcess.start(`${folder}/peer`)
    try {
      const dataDir = `${folder}/data`
      // The rate limit guards a shared service; here one sender is to find the limit of the machine.
      const service = await ServiceProcess.start({ dataDir, nodeArgs: options.nodeArgs, args: ['--rate-ingest', '10GiB'] })
      try {
        return await compare(service, peer, options)
      } finally {
        await service.stop()
      }
    } finally {
      await peer.stop()
    }
  })
}

async function compare(service: ServiceProcess, peer: VictoriaLogsProcess, options: BenchOptions): Promise<Report> {
  const host = '127.0.0.1'
  const own: Side = {
    name: 'service',
    target: { host, port: service.port, apiKey: service.firstRun().apiKey },
    path: '/api/v1/logs/batch',
    folder: service.dataDir,
    cpu: () => service.cpu().http + service.cpu().store,
    memoryMb: () => service.memoryMb()
  }
  const { folder } = peer
  const cpu = (): number => peer.cpu()
  const memoryMb = (): number => peer.memoryMb()
  const theirs: Side = {
    name: 'VictoriaLogs',
    target: { host, port: peer.port, apiKey: '' },
    path: PEER_PATH,
    folder,
    cpu,
    memoryMb
  }
  const isSelected = (step: string): boolean => options.only.length === 0 || options.only.includes(step)
  const load = makeLoad(options)
  const written = await measureWriting(own, theirs, load, isSelected('write'))
  const read = isSelected('read') ? await measureReading(service, peer, load) : []
  return {
    title: `${options.rows.toLocaleString('en-US')} logs of ${HOURS} hours at the service and at VictoriaLogs`,
    rows: [...written, ...read, ratioRow('memory after the queries, MB', own.memoryMb(), theirs.memoryMb())],
    notes: [
      `${BATCH} logs a body of NDJSON, ${CONNECTIONS} connections; queries over all time, alternately, medians of seven after three`,
      'the service acknowledges what is synced; VictoriaLogs may lose some seconds of what it has acknowledged'
    ]
  }
}
