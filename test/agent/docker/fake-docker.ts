import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { EventEmitter, once } from 'node:events'

type Output = 'stdout' | 'stderr'

/** An entry of a log; a part of a longer line has no line feed. */
interface Entry {
  readonly time: string
  readonly output: Output
  readonly text: string
}

/** A container of the daemon. */
interface FakeContainer {
  readonly id: string
  readonly name: string
  readonly isTty: boolean
  readonly driver: string
  readonly labels: Readonly<Record<string, string>>
  entries: Entry[]
  isRunning: boolean
  /** How often it was started. */
  starts: number
  readonly readers: Set<ServerResponse>
}

const KINDS: Readonly<Record<Output, number>> = { stdout: 1, stderr: 2 }

/** The id of a container that is known by a digit, or by two. */
export const idOf = (digit: string): string => digit.repeat(64).slice(0, 64)

/** The time of an entry, so many microseconds after a moment. */
export function at(micros: number): string {
  return `2026-11-20T10:00:${String(Math.floor(micros / 1_000_000)).padStart(2, '0')}.${String(micros % 1_000_000).padStart(6, '0')}000Z`
}

/** The message of an entry as the daemon sends it: in a frame, or as it is where the container has a terminal. */
export function framed({ time, output, text }: Entry, isTty: boolean): Buffer {
  const payload = Buffer.from(`${time} ${text}`)
  if (isTty) return payload
  const header = Buffer.alloc(8)
  header[0] = KINDS[output]
  header.writeUInt32BE(payload.length, 4)
  return Buffer.concat([header, payload])
}

/** When a container was started the n-th time. */
function startedAt(n: number): string {
  return at(n * 2_000_000)
}

function nanos(time: string): bigint {
  const [, second, decimals] = /^(.{19})\.(\d{9})Z$/.exec(time)!
  return BigInt(Date.parse(`${second!}Z`)) * 1_000_000n + BigInt(decimals!)
}

/** A daemon behind a socket that speaks the protocol of Docker Engine 1.45, as far as the agent uses it. */
export class FakeDocker {
  readonly containers = new Map<string, FakeContainer>()
  /** Paths of the requests. */
  readonly requests: string[] = []
  /** Bytes that the next log has in place of its own. */
  garbage: Buffer | null = null
  /** Entries after which the next logs end, one number for each; all that follows are whole. */
  shortLogs: number[] = []
  /** Most containers that were read at once. */
  peakReaders = 0
  readonly #server: Server
  readonly #events = new Set<ServerResponse>()
  readonly #opened = new EventEmitter()

  private constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response))
  }

  static async listen(socket: string): Promise<FakeDocker> {
    const docker = new FakeDocker()
    docker.#server.listen(socket)
    await once(docker.#server, 'listening')
    return docker
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  run(digit: string, about: Partial<Pick<FakeContainer, 'name' | 'isTty' | 'driver' | 'labels'>> = {}): void {
    const container = { name: `name-${digit}`, isTty: false, driver: 'json-file', labels: {}, ...about }
    this.containers.set(idOf(digit), {
      id: idOf(digit),
      ...container,
      entries: [],
      isRunning: true,
      starts: 1,
      readers: new Set()
    })
    this.#notify('start', digit)
  }

  /** Lines of a container; `time` in microseconds. */
  write(digit: string, time: number, text: string, output: Output = 'stdout'): void {
    const container = this.containers.get(idOf(digit))!
    const entry = { time: at(time), output, text }
    container.entries.push(entry)
    for (const reader of container.readers) reader.write(framed(entry, container.isTty))
  }

  stop(digit: string): void {
    const container = this.containers.get(idOf(digit))!
    container.isRunning = false
    for (const reader of container.readers) reader.end()
    container.readers.clear()
    this.#notify('die', digit)
  }

  start(digit: string): void {
    const container = this.containers.get(idOf(digit))!
    container.isRunning = true
    container.starts++
    this.#notify('start', digit)
  }

  remove(digit: string): void {
    if (this.containers.get(idOf(digit))?.isRunning === true) this.stop(digit)
    this.containers.delete(idOf(digit))
    this.#notify('destroy', digit)
  }

  /** Resolves when the log of a container is followed the next time. */
  async followed(digit: string): Promise<void> {
    await once(this.#opened, idOf(digit))
  }

  /** Resolves when there were so many requests for the log of a container. */
  async logsRead(digit: string, count: number): Promise<void> {
    const path = `/containers/${idOf(digit)}/logs`
    while (this.requests.filter(request => request.includes(path)).length < count) await once(this.#opened, 'request')
  }

  /** Removes the first entries of a log, as a rotation of the daemon does. */
  rotate(digit: string, count: number): void {
    this.containers.get(idOf(digit))!.entries.splice(0, count)
  }

  #notify(action: 'start' | 'die' | 'destroy', digit: string): void {
    const starts = this.containers.get(idOf(digit))?.starts ?? 0
    // A little later than the time of the container.
    const timeNano = Number(nanos(startedAt(starts))) + 3_000_000
    const event = JSON.stringify({ Type: 'container', Action: action, Actor: { ID: idOf(digit) }, timeNano })
    for (const response of this.#events) response.write(`${event}\n`)
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(`${request.method} ${request.url}`)
    this.#opened.emit('request')
    const url = new URL(request.url!, 'http://docker')
    const [, , id, what] = url.pathname.split('/')
    if (url.pathname === '/events') {
      this.#events.add(response)
      response.on('close', () => this.#events.delete(response))
      response.flushHeaders()
    } else if (url.pathname === '/containers/json') {
      response.end(JSON.stringify([...this.containers.values()].map(toListed)))
    } else {
      const container = this.containers.get(id ?? '')
      if (container === undefined) response.writeHead(404).end(JSON.stringify({ message: `No such container: ${id}` }))
      else if (what === 'logs') this.#log(container, url.searchParams, response)
      else response.end(JSON.stringify(toInspected(container)))
    }
  }

  #log(container: FakeContainer, query: URLSearchParams, response: ServerResponse): void {
    if (container.driver === 'syslog') {
      response.writeHead(501).end(JSON.stringify({ message: 'configured logging driver does not support reading' }))
      return
    }
    const [seconds, decimals = '0'] = query.get('since')!.split('.')
    const since = BigInt(seconds!) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0'))
    response.flushHeaders()
    if (this.garbage !== null) {
      response.end(this.garbage)
      this.garbage = null
      return
    }
    // As of Docker 23: what follows the first entry that is not too early is not filtered.
    const from = container.entries.findIndex(({ time }) => nanos(time) >= since)
    const entries = from < 0 ? [] : container.entries.slice(from)
    const short = this.shortLogs.shift()
    for (const entry of entries.slice(0, short)) response.write(framed(entry, container.isTty))
    if (!container.isRunning || short !== undefined) {
      response.end()
      return
    }
    container.readers.add(response)
    this.peakReaders = Math.max(this.peakReaders, [...this.containers.values()].filter(({ readers }) => readers.size > 0).length)
    this.#opened.emit(container.id)
    response.on('close', () => container.readers.delete(response))
  }
}

function toListed({ id, name, labels, isRunning }: FakeContainer): object {
  return { Id: id, Names: [`/${name}`], Image: 'registry/shop:1', Labels: labels, State: isRunning ? 'running' : 'exited' }
}

function toInspected({ id, isTty, driver, isRunning, starts }: FakeContainer): object {
  return {
    Id: id,
    State: { Running: isRunning, StartedAt: startedAt(starts) },
    Config: { Tty: isTty },
    HostConfig: { LogConfig: { Type: driver, Config: {} } }
  }
}
