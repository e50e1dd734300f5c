import { lookup, Resolver } from 'node:dns/promises'
import { Slots } from '../../../threads/slots.js'
import type { AllowedTargets } from './allowed-targets.js'

/** Addresses of a host name. Rejects when it has none, when name servers fail, and when the signal is aborted. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** Time limit of the first attempt at each name server, and attempts; later ones take longer. */
const QUERY_TIMEOUT_MS = 2_000
const QUERY_TRIES = 2
/** Lookups of the system at once: each has a thread of the pool of the process, which also reads files. */
export const MAX_SYSTEM_LOOKUPS = 2

/** Codes of a name that does not exist or has no address; all others are failures of name servers. */
const NOT_FOUND: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY', 'ENONAME'])

/** Dependencies of `HostResolver`. */
export interface HostResolverDeps {
  readonly allowed: Pick<AllowedTargets, 'hasHost'>
  /** Name servers, `address:port`; those of the system when absent. */
  readonly servers?: readonly string[]
  /** The lookup of the system. */
  readonly systemLookup?: (host: string) => Promise<readonly string[]>
}

/**
 * Resolves the names of targets. Tenants choose them, so they are resolved by DNS alone, in sockets of their own: names that do
 * not resolve delay no other work of the process. Names that the operator allows are resolved as the system resolves names,
 * by /etc/hosts and search domains too.
 */
export class HostResolver {
  readonly #deps: HostResolverDeps
  readonly #slots = new Slots<string>({ size: MAX_SYSTEM_LOOKUPS, mostOfOne: 1 })
  readonly #lookups = new Map<string, Promise<readonly string[]>>()

  constructor(deps: HostResolverDeps) {
    this.#deps = deps
  }

  /** A `ResolveHost`. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
    return isLocal(host) || this.#deps.allowed.hasHost(host) ? this.#bySystem(host) : this.#byDns(host, signal)
  }

  /** Attempts that resolve a name at the same time share the lookup, which cannot be ended. */
  #bySystem(host: string): Promise<readonly string[]> {
    const known = this.#lookups.get(host)
    if (known) return known
    const found = this.#lookup(host).finally(() => this.#lookups.delete(host))
    this.#lookups.set(host, found)
    return found
  }

  async #lookup(host: string): Promise<readonly string[]> {
    const release = await this.#slots.request(host).granted
    try {
      return await (this.#deps.systemLookup ?? systemLookup)(host)
    } finally {
      release()
    }
  }

  /** One resolver for each name, so that the abort ends its queries, and as many are in flight as attempts. */
  async #byDns(host: string, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted()
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
    if (this.#deps.servers) resolver.setServers(this.#deps.servers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const outcomes = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []))
      if (found.length > 0) return found
      throw failureOf(outcomes)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** The name that is never in DNS (RFC 6761, section 6.3). */
function isLocal(host: string): boolean {
  return /^localhost\.?$/i.test(host)
}

async function systemLookup(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}

/** An error with the code that `dns.lookup` has: codes of DNS such as ECONNREFUSED would be taken for those of the target. */
function failureOf(outcomes: readonly PromiseSettledResult<unknown>[]): Error {
  const codes = outcomes.map(outcome => (outcome.status === 'rejected' ? codeOf(outcome.reason) : ''))
  const code = codes.every(one => NOT_FOUND.has(one)) ? 'ENOTFOUND' : 'EAI_AGAIN'
  return Object.assign(new Error(`DNS: ${codes.join(', ')}`), { code })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
