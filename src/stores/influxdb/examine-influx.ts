import { randomBytes } from 'node:crypto'
import type { Clock } from '../../ports/clock.js'
import type { Finding } from '../shared/finding.js'
import { Findings, judgeClock, wordsOf } from '../shared/finding.js'

const STORE = 'influxdb'
const TIMEOUT_MS = 10_000
const DATE_HEADER_RESOLUTION_MS = 1_000
const MIN_RETENTION_S = 3_600
const TOKEN_REMEDY = 'create an all-access token for the organization: influx auth create --all-access'

/** How to reach the server that is examined. */
export interface ExaminedInflux {
  readonly url: string
  readonly org: string
  readonly token: string
}

interface InfluxResponse {
  readonly status: number
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
  readonly dateMs: number | null
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Readonly<Record<string, unknown>> | null) ?? {}
  } catch {
    // What is not JSON is judged by its status alone.
    return {}
  }
}

type SendRequest = (method: string, path: string, body?: string | object) => Promise<InfluxResponse>

function requester({ url, token }: ExaminedInflux): SendRequest {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Token ${token}`, ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const date = response.headers.get('date')
    return { status: response.status, text, json: parseObject(text), dateMs: date === null ? null : Date.parse(date) }
  }
}

/** Whether it is an InfluxDB of the right version. */
async function examineServer(send: SendRequest, findings: Findings, clock: Clock): Promise<boolean> {
  const beforeMs = clock.nowMs()
  const { json, dateMs } = await send('GET', '/health')
  const gatewayMs = (beforeMs + clock.nowMs()) / 2
  if (json['name'] !== STORE) {
    findings.bad('version', 'the server is not InfluxDB', 'correct influxdb_url')
    return false
  }
  const version = typeof json['version'] === 'string' ? json['version'].replace(/^v/, '') : 'unknown'
  if (version.startsWith('2.')) findings.good('version', `InfluxDB ${version}`)
  else findings.bad('version', `this is InfluxDB ${version}`, 'InfluxDB 2 is required; 1 and 3 have different APIs')
  if (json['status'] !== 'pass')
    findings.bad('health', `the server reports: ${JSON.stringify(json['message'])}`, 'check the log of the server')
  // The header counts whole seconds: the middle of the one it names.
  if (dateMs !== null) judgeClock(findings, dateMs + DATE_HEADER_RESOLUTION_MS / 2, gatewayMs, DATE_HEADER_RESOLUTION_MS / 2)
  return version.startsWith('2.')
}

/** The id of the organization; null if it is unknown, which is then a finding. */
async function examineOrganization(send: SendRequest, findings: Findings, org: string): Promise<string | null> {
  const { status, text, json } = await send('GET', `/api/v2/orgs?org=${encodeURIComponent(org)}`)
  const found = (json['orgs'] as readonly { readonly id: string }[] | undefined)?.[0]
  if (status === 401) findings.bad('token', 'the server rejects the token', `correct influxdb_token, or ${TOKEN_REMEDY}`)
  else if (status === 404 || (status === 200 && !found))
    findings.bad(
      'organization',
      `the token has no access to the organization ${org}`,
      'correct influxdb_org (see influx org list), or grant the token read access to it'
    )
  else if (!found) findings.bad('organization', `${org} cannot be read: ${text}`, TOKEN_REMEDY)
  else findings.good('token', `the token has access to the organization ${org}`)
  return found?.id ?? null
}

interface Scratch {
  readonly org: string
  readonly bucket: string
}

/** Tests each permission in a bucket of its own; returns the first that is missing and the server's message. */
async function missingRight(send: SendRequest, { org, bucket }: Scratch, clock: Clock): Promise<string | null> {
  const where = `org=${encodeURIComponent(org)}&bucket=${bucket}`
  const written = await send('POST', `/api/v2/write?${where}&precision=ms`, `doctor value=1 ${clock.nowMs()}`)
  if (written.status !== 204) return `write points: ${written.text}`
  const query = `from(bucket: "${bucket}") |> range(start: -1h, stop: 1h) |> count()`
  const read = await send('POST', `/api/v2/query?org=${encodeURIComponent(org)}`, { query, type: 'flux' })
  if (read.status !== 200 || !read.text.includes('doctor')) return `read points: ${read.text}`
  const everything = { start: '1970-01-01T00:00:00Z', stop: '2200-01-01T00:00:00Z' }
  const deleted = await send('POST', `/api/v2/delete?${where}`, everything)
  return deleted.status === 204 ? null : `delete points: ${deleted.text}`
}

async function examineRights(
  send: SendRequest,
  findings: Findings,
  orgId: string,
  scratch: Scratch,
  clock: Clock
): Promise<void> {
  const retentionRules = [{ type: 'expire', everySeconds: MIN_RETENTION_S }]
  const made = await send('POST', '/api/v2/buckets', { orgID: orgId, name: scratch.bucket, retentionRules })
  const id = made.json['id']
  if (made.status !== 201 || typeof id !== 'string')
    return findings.bad('rights', `the token cannot create buckets: ${made.text}`, TOKEN_REMEDY)
  const missing = await missingRight(send, scratch, clock)
  const dropped = await send('DELETE', `/api/v2/buckets/${id}`)
  if (missing !== null) return findings.bad('rights', `the token cannot ${missing}`, TOKEN_REMEDY)
  if (dropped.status !== 204) return findings.bad('rights', `the token cannot delete buckets: ${dropped.text}`, TOKEN_REMEDY)
  return findings.good('rights', 'buckets can be created, written, read and deleted')
}

/** Examines an InfluxDB server: reach, version, token, organization, rights and clock. Leaves nothing behind. */
export async function examineInflux(server: ExaminedInflux, clock: Clock): Promise<readonly Finding[]> {
  const findings = new Findings(STORE)
  const send = requester(server)
  try {
    if (!(await examineServer(send, findings, clock))) return findings.list
    const orgId = await examineOrganization(send, findings, server.org)
    const bucket = `alidade_doctor_${randomBytes(8).toString('hex')}`
    if (orgId !== null) await examineRights(send, findings, orgId, { org: server.org, bucket }, clock)
  } catch (error) {
    const remedy = 'start the server, or correct influxdb_url; it must be reachable from this host'
    findings.bad('connection', `${server.url} is unavailable: ${wordsOf(error)}`, remedy)
  }
  return findings.list
}
