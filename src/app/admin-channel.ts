import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rm, writeFile, readFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { diagnosisOf, type ErrorCode, GatewayError } from '../domain/errors.js'
import { toGatewayError } from '../http/error-translation.js'
import { toProblem } from '../http/error-reply.js'

/** File in the data folder with the address of the running service for administration commands. */
export const CHANNEL_FILE = 'admin.json'
const OWNER_ONLY = 0o600
const TOKEN_BYTES = 32
const MAX_BODY_BYTES = 64 * 1024
const LOOPBACK = '127.0.0.1'
/** From this status on it is the service that failed. */
const LEAST_FAILURE = 500

/** Administration commands of a running service, by name. */
export type AdminCommands = Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<object>>>

/** A door for commands on this machine; whoever can read the data folder may use it. */
export interface AdminChannel {
  close(): Promise<void>
}

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new GatewayError('payload_too_large', 'the command exceeds the size limit')
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (typeof value !== 'object' || value === null) throw new GatewayError('invalid_json', 'the command must be an object')
  return value as Readonly<Record<string, unknown>>
}

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const requested = Buffer.from(`Bearer ${token}`)
  return given.length === requested.length && timingSafeEqual(given, requested)
}

async function result(request: IncomingMessage, token: string, commands: AdminCommands): Promise<object> {
  if (!isAllowed(request, token)) throw new GatewayError('invalid_credential', 'the token is not valid for this start')
  const name = (request.url ?? '').slice(1)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || request.method !== 'POST') throw new GatewayError('not_found', 'unknown command')
  return command(await readJson(request))
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The whole error: whoever may call is an operator. */
function refusalOf(error: unknown): { readonly status: number; readonly body: object } {
  const refusal = toGatewayError(error)
  const { status, body } = toProblem(refusal, 'admin')
  return { status, body: { ...body, diagnosis: diagnosisOf(error), retry_after_s: refusal.retryAfterS } }
}

/**
 * Opens the door on a loopback port of its own, with a token that is only in a file that the owner can read. `onError`
 * gets failures of the service, not refusals of what was called.
 */
export async function openAdminChannel(
  dataDir: string,
  commands: AdminCommands,
  onError: (error: unknown) => void
): Promise<AdminChannel> {
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  const server = createServer((request, response) => {
    result(request, token, commands).then(
      body => send(response, 200, body),
      (error: unknown) => {
        const { status, body } = refusalOf(error)
        if (status >= LEAST_FAILURE) onError(error)
        send(response, status, body)
      }
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, LOOPBACK, resolve)
  })
  const { port } = server.address() as AddressInfo
  const path = join(dataDir, CHANNEL_FILE)
  await rm(path, { force: true })
  await writeFile(path, JSON.stringify({ url: `http://${LOOPBACK}:${port}`, token }), { mode: OWNER_ONLY })
  return {
    close: async () => {
      await rm(path, { force: true })
      const closed = new Promise(resolve => server.close(resolve))
      server.closeIdleConnections()
      await closed
    }
  }
}

interface Channel {
  readonly url: string
  readonly token: string
}

/** The response to a command: printed, or thrown as its error. */
export type ServiceResponse = Readonly<Record<string, unknown>>

async function findChannel(dataDir: string): Promise<Channel | null> {
  // No service runs, or one of another user: only opening the stores shows which.
  const text = await readFile(join(dataDir, CHANNEL_FILE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Channel)
}

/** The error that the service sent. */
function errorOf({ code, detail, diagnosis, retry_after_s: retryAfterS }: ServiceResponse): GatewayError {
  return new GatewayError(code as ErrorCode, String(detail), {
    ...(typeof diagnosis === 'string' && { diagnosis }),
    ...(typeof retryAfterS === 'number' && { retryAfterS })
  })
}

/** Calls the running service; null without a response (the file of a service that was killed stays behind). */
export async function callService(dataDir: string, command: string, input: object): Promise<ServiceResponse | null> {
  const channel = await findChannel(dataDir)
  if (!channel) return null
  const headers = { authorization: `Bearer ${channel.token}`, 'content-type': 'application/json' }
  const response = await fetch(`${channel.url}/${command}`, { method: 'POST', headers, body: JSON.stringify(input) }).catch(
    () => null
  )
  if (!response || response.status === 401) return null
  const result = (await response.json()) as ServiceResponse
  if (!response.ok) throw errorOf(result)
  return result
}
