import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Clock } from '../../../ports/clock.js'
import type { Timers } from '../../../ports/timers.js'
import type { AllowedTargets } from './allowed-targets.js'
import { failureReason, POST_TIMEOUT_MS, statusReason, TargetRefused } from './post-reasons.js'
import type { ResolveHost } from './resolve-host.js'
import { hostOf, parseTarget } from './target-url.js'

/** Bytes of a response that are read, and discarded. */
export const MAX_READ_BYTES = 4 * 1024

/** How one request ended. */
export interface PostResult {
  /** Null without a response. */
  readonly status: number | null
  /** Why it failed; null for a response of 2xx. */
  readonly reason: string | null
  /** `Retry-After` of the response. */
  readonly retryAfter: string | undefined
  /** Whether further attempts have the same outcome. */
  readonly isFinal?: boolean
  readonly tookMs: number
}

/** A request to a channel. */
export interface TargetPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Cuts the request. */
  readonly signal?: AbortSignal
}

/** Dependencies of `TargetClient`. */
export interface TargetClientDeps {
  readonly allowed: AllowedTargets
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly timers: Timers
  readonly userAgent: string
  readonly resolve: ResolveHost
  /** Certificate authorities in PEM instead of those of Node. */
  readonly ca?: string
}

/**
 * Sends requests to targets that tenants chose. The name is resolved once, every address is checked, and the socket connects
 * to a checked one, so that a second resolution cannot lead elsewhere. Follows no redirects and uses no proxy.
 */
export class TargetClient {
  readonly #deps: TargetClientDeps

  constructor(deps: TargetClientDeps) {
    this.#deps = deps
  }

  /** Sends a POST; never rejects. */
  async post({ url, headers, body, signal: stop }: TargetPost): Promise<PostResult> {
    const { clock, timers } = this.#deps
    const startMs = clock.monotonicMs()
    const timeout = new AbortController()
    const cancel = timers.after(POST_TIMEOUT_MS, () => timeout.abort())
    const signal = stop === undefined ? timeout.signal : AbortSignal.any([timeout.signal, stop])
    try {
      const target = parsedTarget(url, this.#deps.allowed)
      const addresses = await this.#checkedAddresses(target, signal)
      const { status, retryAfter } = await this.#send(target, addresses, { headers, body, signal })
      return { status, reason: statusReason(status), retryAfter, tookMs: clock.monotonicMs() - startMs }
    } catch (error) {
      return { status: null, reason: failureReason(error), retryAfter: undefined, tookMs: clock.monotonicMs() - startMs }
    } finally {
      cancel()
    }
  }

  async #checkedAddresses(target: URL, signal: AbortSignal): Promise<readonly string[]> {
    const { allowed, resolve } = this.#deps
    const host = hostOf(target)
    const addresses = isIP(host) > 0 ? [host] : await unlessAborted(resolve(host, signal), signal)
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
    if (!addresses.every(address => allowed.allows(host, address))) {
      throw new TargetRefused('the host has an address that is not public; the operator can allow it with webhook_allow')
    }
    if (target.protocol === 'http:' && !addresses.every(address => allowed.isInternal(host, address))) {
      throw new TargetRefused('http is only for targets of the setting webhook_allow')
    }
    return addresses
  }

  #send(
    target: URL,
    addresses: readonly string[],
    { headers, body, signal }: Omit<TargetPost, 'url' | 'signal'> & { readonly signal: AbortSignal }
  ): Promise<{ readonly status: number; readonly retryAfter: string | undefined }> {
    const { userAgent, ca } = this.#deps
    const isTls = target.protocol === 'https:'
    const options: RequestOptions = {
      method: 'POST',
      host: hostOf(target),
      port: target.port === '' ? (isTls ? 443 : 80) : target.port,
      path: `${target.pathname}${target.search}`,
      headers: {
        host: target.host,
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': userAgent,
        ...headers
      },
      // Own agents know no proxy of the environment; a connection serves one request.
      agent: isTls ? new HttpsAgent({ keepAlive: false, ...(ca !== undefined && { ca }) }) : new HttpAgent({ keepAlive: false }),
      lookup: lookupOf(addresses),
      signal
    }
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(options, response => {
        const outcome = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
        discard(response, () => resolve(outcome), reject)
      })
      // Node reports a 101 by this event alone, and leaves the socket to whoever listens.
      request.on('upgrade', ({ statusCode = 0 }, socket) => {
        socket.destroy()
        resolve({ status: statusCode, retryAfter: undefined })
      })
      request.on('error', reject)
      request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
      request.end(body)
    })
  }
}

function parsedTarget(url: string, allowed: AllowedTargets): URL {
  try {
    return parseTarget(url, allowed)
  } catch (error) {
    throw new TargetRefused(error instanceof Error ? error.message : 'the target is not allowed')
  }
}

/** A lookup that knows the checked addresses alone. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map(address => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    if (options.all === true) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
}

/** Reads at most `MAX_READ_BYTES` of a response: a status alone counts, but some receivers need their response to be read. */
function discard(response: IncomingMessage, done: () => void, failed: (error: Error) => void): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_READ_BYTES) return
    done()
    response.destroy()
  })
  response.on('end', done)
  response.on('error', failed)
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(Object.assign(new Error('aborted'), { code: 'ABORT_ERR' }))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
