import type { Config } from '../config/config.js'
import type { OtlpUrls } from '../ingest/otlp-report.js'

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

/** Where senders of OTLP are to be pointed: over HTTP to the public address when there is one, else to the port that senders know. */
export function otlpUrlsOf({ publicUrl }: Pick<Config, 'publicUrl'>, addresses: Addresses): OtlpUrls {
  const { ingestUrl, otlpHttpUrl, otlpGrpcUrl } = addresses
  const ofIngest = (base: string): string => `${base.replace(/\/$/, '')}/api/v1/otlp`
  return { http: publicUrl === null ? (otlpHttpUrl ?? ofIngest(ingestUrl)) : ofIngest(publicUrl), grpc: otlpGrpcUrl }
}
