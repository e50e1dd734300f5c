import { GatewayError } from '../../domain/errors.js'
import {
  type AgentSource,
  LISTENER_PROTOCOLS,
  type MachineFacts,
  type ReportedContainer,
  type ReportedListener,
  type ReportingAgent,
  SERVICE_BASES
} from '../../domain/reported-host.js'
import { isRawObject, type RawObject } from '../raw-object.js'
import { readChoice, readCount, readLine, readString, readTimeMs } from '../member-fields.js'
import type { HostLimits } from './host-limits.js'

/** The body of `PUT /api/v1/hosts/{id}`. */
export interface HostReportBody {
  readonly name: string
  readonly intervalMs: number
  readonly machine: MachineFacts
  readonly agent: ReportingAgent
  /** Null: the agent does not collect them, or could not. */
  readonly listeners: readonly ReportedListener[] | null
  /** Null: the agent does not report them. */
  readonly containers: readonly ReportedContainer[] | null
}

const MAX_NAME = 255
const MAX_TEXT = 1_024
const MAX_PATH = 256
const MAX_COMMAND = 2_048
const LEAST_INTERVAL_S = 10
const MOST_INTERVAL_S = 3_600
const MAX_PORT = 65_535
const MAX_PID = 2 ** 32
const CONTAINER_ID = /^[0-9A-Za-z][0-9A-Za-z._:-]{0,63}$/
const MAX_IMAGE = 512
const MAX_WORD = 64
const ADDRESS = /^[0-9A-Fa-f.:%A-Za-z_-]{1,64}$/

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

function listOf(raw: RawObject, name: string, field: string, most: number): readonly RawObject[] | null {
  const value = raw[name] ?? null
  if (value === null) return null
  if (!Array.isArray(value)) throw invalid(field, 'must be an array')
  if (value.length > most) throw invalid(field, `must not exceed ${most} entries (got ${value.length})`)
  return value.map((one: unknown, i) => {
    if (isRawObject(one)) return one
    throw invalid(`${field}[${i}]`, 'must be an object')
  })
}

function parseSource(raw: RawObject, field: string): AgentSource {
  return {
    path: readString(raw, 'path', field, MAX_PATH) ?? '',
    state: readString(raw, 'state', field, MAX_NAME) ?? 'unknown',
    lagBytes: readCount(raw, 'lag_bytes', field, {})
  }
}

function parseAgent(body: RawObject, limits: HostLimits): ReportingAgent {
  const raw = body['agent'] ?? {}
  if (!isRawObject(raw)) throw invalid('agent', 'must be an object')
  const sources = listOf(raw, 'sources', 'agent.sources', limits.sources) ?? []
  return {
    version: readString(raw, 'version', 'agent', MAX_NAME) ?? 'unknown',
    startedAtMs: readTimeMs(raw, 'started_at', 'agent'),
    configHash: readString(raw, 'config_hash', 'agent', MAX_NAME),
    sources: sources.map((source, i) => parseSource(source, `agent.sources[${i}]`))
  }
}

function parseListener(raw: RawObject, field: string): ReportedListener {
  const address = readString(raw, 'address', field, MAX_NAME)
  const port = readCount(raw, 'port', field, { least: 1, most: MAX_PORT })
  const protocol = readChoice(raw, 'protocol', field, LISTENER_PROTOCOLS)
  if (address === null || port === null || protocol === null)
    throw new GatewayError('missing_field', `${field} must have protocol, address and port`, { field })
  if (!ADDRESS.test(address)) throw invalid(`${field}.address`, 'must be an IPv4 or IPv6 address')
  const text = (name: string, most = MAX_TEXT): string | null => readString(raw, name, field, most)
  const service = text('service')
  return {
    ...{ protocol, address, port, process: text('process'), command: text('command', MAX_COMMAND), user: text('user') },
    ...{ exe: readLine(raw, 'exe', field, MAX_TEXT), unit: text('unit'), container: text('container'), service },
    pid: readCount(raw, 'pid', field, { most: MAX_PID }),
    serviceBasis: service === null ? null : readChoice(raw, 'service_basis', field, SERVICE_BASES)
  }
}

function parseContainer(raw: RawObject, field: string): ReportedContainer {
  const text = (name: string, most: number): string | null => readLine(raw, name, field, most)
  const [id, name] = [text('id', MAX_NAME), text('name', MAX_NAME)]
  if (id === null || name === null) throw new GatewayError('missing_field', `${field} must have id and name`, { field })
  if (!CONTAINER_ID.test(id)) throw invalid(`${field}.id`, 'must be at most 64 letters, digits and ._:-')
  const words = { runtime: text('runtime', MAX_WORD), state: text('state', MAX_WORD) }
  return { id, name, image: text('image', MAX_IMAGE), service: text('service', MAX_NAME), ...words }
}

function parseContainers(body: RawObject, limits: HostLimits): readonly ReportedContainer[] | null {
  const raw = listOf(body, 'containers', 'containers', limits.containers)
  if (raw === null) return null
  const containers = raw.map((one, i) => parseContainer(one, `containers[${i}]`))
  const bytes = Buffer.byteLength(JSON.stringify(containers))
  if (bytes > limits.containerBytes)
    throw invalid('containers', `must not exceed ${limits.containerBytes} bytes as JSON (got ${bytes}); send fewer containers`)
  return containers
}

/** Reads the report of an agent. Members that are not known are ignored: an agent may be newer. Throws `missing_field` or `invalid_field`. */
export function parseHostReport(body: unknown, limits: HostLimits): HostReportBody {
  if (!isRawObject(body)) throw new GatewayError('invalid_field', 'the body must be an object')
  const name = readString(body, 'name', '', MAX_NAME)
  if (name === null)
    throw new GatewayError('missing_field', 'name is required: the host that records of this machine name', { field: 'name' })
  const intervalS = readCount(body, 'interval_s', '', { least: LEAST_INTERVAL_S, most: MOST_INTERVAL_S })
  if (intervalS === null) throw new GatewayError('missing_field', 'interval_s is required', { field: 'interval_s' })
  return {
    name,
    intervalMs: intervalS * 1000,
    machine: {
      os: readString(body, 'os', '', MAX_TEXT),
      kernel: readString(body, 'kernel', '', MAX_TEXT),
      arch: readString(body, 'arch', '', MAX_NAME),
      cpuCount: readCount(body, 'cpu_count', '', { most: 2 ** 31 - 1 }),
      memoryBytes: readCount(body, 'memory_bytes', '', {}),
      bootAtMs: readTimeMs(body, 'boot_time', '')
    },
    agent: parseAgent(body, limits),
    listeners:
      listOf(body, 'listeners', 'listeners', limits.listeners)?.map((one, i) => parseListener(one, `listeners[${i}]`)) ?? null,
    containers: parseContainers(body, limits)
  }
}
