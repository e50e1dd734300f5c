import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { AgentConfig } from '../config/config.js'

/** A response, read whole. */
export interface Reply {
  readonly status: number
  readonly retryAfterS: number | null
  /** The parsed JSON object; empty for any other body. */
  readonly json: Readonly<Record<string, unknown>>
}

const compress = promisify(gzip)
/** Each chunk of output is one trip to the thread pool; logs shrink to an eighth. */
const LEAST_CHUNK = 1024
const TIMEOUT_MS = 60_000
const MAX_REPLY_BYTES = 1024 * 1024

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    // The page of a proxy: its status is what counts.
    return {}
  }
}

/** Seconds of a `Retry-After`; null for a date and for none. */
function seconds(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : null
}

/** Status, code and detail of a response. */
export function sentence({ status, json }: Reply): string {
  const { code, detail } = json
  return `${status}${typeof code === 'string' ? ` ${code}` : ''}${typeof detail === 'string' ? `: ${detail}` : ''}`
}

/** Sends JSON bodies to one service over kept connections. */
export class HttpPost {
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #agent: HttpAgent | HttpsAgent

  constructor({ url, login, apiKey }: Pick<AgentConfig, 'url' | 'login' | 'apiKey'>) {
    this.#url = new URL(url)
    this.#headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-api-key': apiKey,
      ...(login !== null && { authorization: `Basic ${Buffer.from(login).toString('base64')}` })
    }
    const options = { keepAlive: true, maxSockets: 8 }
    this.#agent = this.#url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
  }

  /** Compresses a body; done once, however often it is sent. */
  compress(body: string | Buffer): Promise<Buffer> {
    return compress(body, { level: 1, chunkSize: Math.max(LEAST_CHUNK, body.length >> 2) })
  }

  /** Rejects when no response came within the time. */
  send(path: string, body: Buffer, timeoutMs = TIMEOUT_MS): Promise<Reply> {
    return this.#send('POST', path, body, timeoutMs)
  }

  /** As `send`, by the method PUT. */
  put(path: string, body: Buffer, timeoutMs = TIMEOUT_MS): Promise<Reply> {
    return this.#send('PUT', path, body, timeoutMs)
  }

  #send(method: 'POST' | 'PUT', path: string, body: Buffer, timeoutMs: number): Promise<Reply> {
    const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest
    const target = new URL(`${this.#url.href.replace(/\/$/, '')}${path}`)
    return new Promise((resolve, reject) => {
      const headers = { ...this.#headers, 'content-length': body.length }
      const request = send(target, { method, agent: this.#agent, headers, timeout: timeoutMs }, response => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size <= MAX_REPLY_BYTES) chunks.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          const retryAfterS = seconds(response.headers['retry-after'])
          resolve({ status: response.statusCode ?? 0, retryAfterS, json: parseObject(Buffer.concat(chunks).toString()) })
        })
      })
      request.on('timeout', () => request.destroy(new Error(`no response within ${timeoutMs / 1000} s`)))
      request.on('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
