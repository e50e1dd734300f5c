import { influxdb } from '../../test/servers/influxdb.js'
import { RunningServer } from '../../test/servers/running-server.js'
import type { ServerAccess } from '../../test/servers/variables.js'
import { pointBatches, type PointBatches } from '../influxdb/points.js'
import { Connection, requestHead, type Target } from '../load/connection.js'
import { inLanes } from '../load/in-lanes.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const POINTS = 400_000
const JSON_BATCH = 1_000
const JSON_CONNECTIONS = 8
const LINE_BATCH = 5_000
const LINE_CONNECTIONS = 4
const BUCKET = 'direct'

/** Sends all bodies over so many connections; returns seconds. */
function sendAll(
  target: Target,
  bodies: readonly Buffer[],
  connections: number,
  headOf: (bytes: number) => string
): Promise<number> {
  return inLanes(bodies, connections, () => {
    const connection = new Connection(target)
    const send = async (body: Buffer): Promise<void> => {
      const { status, body: text } = await connection.send(headOf(body.length), body)
      if (status !== 200 && status !== 204) throw new Error(`${status} ${text.slice(0, 300)}`)
    }
    return { send, close: () => connection.close() }
  })
}

function targetAt(url: string, apiKey: string): Target {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port), apiKey }
}

function direct({ url, token, org }: ServerAccess, { lines }: PointBatches): Promise<number> {
  const target = targetAt(url, '')
  const path = `/api/v2/write?org=${org}&bucket=${BUCKET}&precision=ns`
  const headOf = (bytes: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\nAuthorization: Token ${token}\r\nContent-Length: ${bytes}\r\n\r\n`
  return sendAll(target, lines, LINE_CONNECTIONS, headOf)
}

function throughGateway(service: ServiceProcess, { json }: PointBatches): Promise<number> {
  const target = targetAt(service.url, service.firstRun().apiKey)
  return sendAll(target, json, JSON_CONNECTIONS, bytes => requestHead(target, '/api/v1/ingest/batch', bytes))
}

async function makeBucket({ url, token, org }: ServerAccess): Promise<void> {
  const headers = { authorization: `Token ${token}` }
  const { orgs } = (await (await fetch(`${url}/api/v2/orgs?org=${org}`, { headers })).json()) as { orgs: { id: string }[] }
  const body = JSON.stringify({ orgID: orgs[0]!.id, name: BUCKET, retentionRules: [] })
  await fetch(`${url}/api/v2/buckets`, { method: 'POST', headers, body })
}

async function compare(access: ServerAccess, service: ServiceProcess, { repeats, seed }: BenchOptions): Promise<Report> {
  await makeBucket(access)
  const rows: Row[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    // Times of their own for each repeat, all within the last hour.
    const startNs = BigInt(Date.now() - 3_000_000 + repeat * 1_000) * 1_000_000n
    const batches = pointBatches(POINTS, { seed: seed + repeat, startNs, jsonBatch: JSON_BATCH, lineBatch: LINE_BATCH })
    const before = service.cpu()
    const gatewayS = await throughGateway(service, batches)
    const cpuUs = ((service.cpu().http - before.http) * 1e6) / POINTS
    const directS = await direct(access, batches)
    const [gateway, own] = [POINTS / gatewayS, POINTS / directS]
    rows.push({
      run: String(repeat + 1),
      'gateway points/s': gateway,
      'direct points/s': own,
      ratio: gateway / own,
      'gateway us/point': cpuUs
    })
  }
  const ratios = rows.map(row => Number(row['ratio'])).sort((a, b) => a - b)
  return {
    title: `${POINTS} points into InfluxDB: gateway (JSON, ${JSON_BATCH} a request) and line protocol (${LINE_BATCH} a request)`,
    rows,
    notes: [`median ratio ${ratios[Math.floor(ratios.length / 2)]!.toFixed(2)} (goal: at least 0.85)`]
  }
}

/** Writing: points through the gateway against the same points sent to InfluxDB itself. */
export async function measureInfluxWrite(options: BenchOptions): Promise<Report> {
  const server = await RunningServer.start(influxdb)
  try {
    const { url, token, org } = server.access
    const env = { ALIDADE_INFLUXDB_URL: url, ALIDADE_INFLUXDB_TOKEN: token!, ALIDADE_INFLUXDB_ORG: org! }
    return await withTemporaryFolder('alidade-bench', async dataDir => {
      const service = await ServiceProcess.start({ dataDir, env, nodeArgs: options.nodeArgs })
      try {
        return await compare(server.access, service, options)
      } finally {
        await service.stop()
      }
    })
  } finally {
    await server.stop()
  }
}
