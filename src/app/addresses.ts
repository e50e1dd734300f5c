import type { Config } from '../config/config.js'

/** Where the service is reached. */
export interface Addresses {
  readonly apiUrl: string
  readonly ingestUrl: string
  /** Of OTLP's own ports; null without them. */
  readonly otlpHttpUrl: string | null
  readonly otlpGrpcUrl: string | null
}

const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The URL of a bound address; for "every address" the loopback one. */
export function urlOf(host: string, port: number): string {
  const reachable = ANY.has(host) ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The addresses as the settings have them, before anything is bound. */
export function configuredAddresses(config: Config): Addresses {
  return {
    apiUrl: urlOf(config.host, config.port),
    ingestUrl: urlOf(config.host, config.ingestPort ?? config.port),
    otlpHttpUrl: null,
    otlpGrpcUrl: null
  }
}
