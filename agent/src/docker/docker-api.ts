import { type IncomingMessage, request } from 'node:http'
import { type Line, LineSplitter } from '../files/line-splitter.js'
import { timeOf } from './container-place.js'

/** A container as the list has it. */
export interface Container {
  readonly id: string
  /** Without the slash. */
  readonly name: string
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
  readonly isRunning: boolean
  /** As `running`, `paused`, `exited`. */
  readonly state: string
}

/** How the log of a container is read, and which of its runs wrote last. */
export interface ContainerLog {
  /** Its output is one stream without frames. */
  readonly isTty: boolean
  /** Of its log, as `json-file`. */
  readonly driver: string
  readonly isRunning: boolean
  /** Of its latest run, as the daemon writes it. */
  readonly startedAt: string
}

/** A container was started. */
export interface ContainerStart {
  readonly id: string
  /** RFC 3339. */
  readonly time: string
}

/** Containers that were started; `unknown`: others may have been, too. */
export type ContainerStarts = readonly ContainerStart[] | 'unknown'

/** What the agent reads of Docker. All requests are `GET`. */
export interface DockerApi {
  containers(signal: AbortSignal): Promise<readonly Container[]>
  /** Null for a container that is gone. */
  log(id: string, signal: AbortSignal): Promise<ContainerLog | null>
  /** What a container wrote and writes until it stops, with times. @param since seconds with decimals. */
  output(id: string, since: string, signal: AbortSignal): AsyncIterable<Buffer>
  /** The containers that were started, at each change of one, and maybe more often. */
  events(signal: AbortSignal): AsyncIterable<ContainerStarts>
}

/** A response of Docker that is not 200. */
export class DockerError extends Error {
  override readonly name = 'DockerError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Json = Readonly<Record<string, unknown>>

/** Label of the service that Compose runs. */
export const COMPOSE_SERVICE = 'com.docker.compose.service'
/** Path of the socket of the daemon as Docker installs it. */
export const DOCKER_SOCKET = '/var/run/docker.sock'
const TIMEOUT_MS = 10_000
/** Bytes of a list; a container has about 2 KB in it. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
const MAX_ERROR_BYTES = 1_000
const STATE_EVENTS = JSON.stringify({ type: ['container'], event: ['create', 'start', 'die', 'destroy', 'rename'] })
const ID = /^[0-9a-f]{12,64}$/

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

async function textOf(response: AsyncIterable<Buffer>, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > most) throw new Error(`a response exceeds ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** What the daemon states, or the beginning of what else it sent. */
async function errorOf(response: IncomingMessage): Promise<DockerError> {
  // The status is known without its text.
  const text = await textOf(response, MAX_BODY_BYTES).catch(() => '')
  const status = response.statusCode ?? 0
  try {
    const json: unknown = JSON.parse(text)
    if (isJson(json) && typeof json['message'] === 'string')
      return new DockerError(status, json['message'].slice(0, MAX_ERROR_BYTES))
  } catch {
    // Not of the daemon.
  }
  return new DockerError(status, `${status} ${text.slice(0, MAX_ERROR_BYTES)}`)
}

function toContainer(value: unknown): Container | null {
  if (!isJson(value)) return null
  const { Id: id, Names: names, Labels: labels } = value
  if (typeof id !== 'string' || !ID.test(id)) return null
  const name = Array.isArray(names) ? stringOf(names[0]).replace(/^\//, '') : ''
  const named = Object.entries(isJson(labels) ? labels : {}).filter(
    (label): label is [string, string] => typeof label[1] === 'string'
  )
  return {
    id,
    name: name === '' ? id.slice(0, 12) : name,
    image: stringOf(value['Image']),
    labels: Object.fromEntries(named),
    isRunning: value['State'] === 'running',
    state: stringOf(value['State'])
  }
}

function toLog(value: unknown): ContainerLog {
  const config = isJson(value) && isJson(value['Config']) ? value['Config'] : {}
  const host = isJson(value) && isJson(value['HostConfig']) ? value['HostConfig'] : {}
  const log = isJson(host['LogConfig']) ? host['LogConfig'] : {}
  const state = isJson(value) && isJson(value['State']) ? value['State'] : {}
  return {
    isTty: config['Tty'] === true,
    driver: stringOf(log['Type']),
    isRunning: state['Running'] === true,
    startedAt: stringOf(state['StartedAt'])
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // As JSON of another shape.
    return null
  }
}

/** Null for another change; `unknown` for an event without what it should have. */
function toStart(line: string): ContainerStart | 'unknown' | null {
  const event = parseJson(line)
  if (!isJson(event) || typeof event['Action'] !== 'string') return 'unknown'
  if (event['Action'] !== 'start') return null
  const { Actor: actor, timeNano } = event
  if (!isJson(actor) || typeof actor['ID'] !== 'string' || typeof timeNano !== 'number') return 'unknown'
  return { id: actor['ID'], time: timeOf(timeNano / 1e6) }
}

/** Events come as lines of JSON. */
async function* starts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ContainerStarts, void, undefined> {
  const splitter = new LineSplitter()
  for await (const chunk of chunks) {
    const lines: Line[] = []
    splitter.push(chunk, lines)
    const found = lines.flatMap(({ text }) => toStart(text) ?? [])
    const known = found.filter(one => one !== 'unknown')
    yield known.length === found.length ? known : 'unknown'
  }
}

/** The daemon behind a socket. */
export function dockerApi(socketPath: string): DockerApi {
  const get = (path: string, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath, path, signal, agent: false, headers: { host: 'docker' } }, resolve)
      sent.on('error', reject)
      sent.end()
    })
  const body = async (path: string, signal: AbortSignal): Promise<unknown> => {
    const response = await get(path, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
    if (response.statusCode !== 200) throw await errorOf(response)
    return JSON.parse(await textOf(response, MAX_BODY_BYTES))
  }
  async function* chunks(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const response = await get(path, signal)
    if (response.statusCode !== 200) throw await errorOf(response)
    yield* response as AsyncIterable<Buffer>
  }
  return {
    containers: async signal => {
      const found = await body('/containers/json?all=1', signal)
      return Array.isArray(found) ? found.flatMap(one => toContainer(one) ?? []) : []
    },
    log: async (id, signal) => {
      try {
        return toLog(await body(`/containers/${id}/json`, signal))
      } catch (error) {
        if (error instanceof DockerError && error.status === 404) return null
        throw error
      }
    },
    output: (id, since, signal) =>
      chunks(`/containers/${id}/logs?follow=1&stdout=1&stderr=1&timestamps=1&since=${since}`, signal),
    events: signal => starts(chunks(`/events?filters=${encodeURIComponent(STATE_EVENTS)}`, signal))
  }
}
