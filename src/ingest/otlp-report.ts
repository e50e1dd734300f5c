import type { NamespaceId } from '../domain/ids.js'
import { OTLP_PROTOCOLS, type OtlpChannel, type OtlpProtocol, type OtlpRecent, type OtlpStatus } from './otlp-status.js'

/** The URLs of the receivers; null for one that does not listen. */
export interface OtlpUrls {
  readonly http: string | null
  readonly grpc: string | null
}

/** One protocol, all signals of a namespace together. Times are Unix milliseconds. */
export interface OtlpEndpoint {
  readonly protocol: OtlpProtocol
  /** Null: the receiver does not listen. */
  readonly url: string | null
  readonly lastReceivedMs: number | null
  /** Records that were taken, and that were refused. */
  readonly received: number
  readonly rejected: number
  /** The reason of the last refusal. */
  readonly lastError: string | null
}

/** Whether OTLP arrives in a namespace: what this gateway saw since its start. */
export interface OtlpReport extends OtlpRecent {
  readonly endpoints: readonly OtlpEndpoint[]
  /** Every protocol and signal. */
  readonly channels: readonly OtlpChannel[]
}

function sum(channels: readonly OtlpChannel[], of: (channel: OtlpChannel) => number): number {
  return channels.reduce((total, channel) => total + of(channel), 0)
}

function newest(times: readonly (number | null)[]): number | null {
  const known = times.filter(time => time !== null)
  return known.length === 0 ? null : Math.max(...known)
}

function endpointOf(protocol: OtlpProtocol, url: string | null, all: readonly OtlpChannel[]): OtlpEndpoint {
  const channels = all.filter(channel => channel.protocol === protocol)
  const lastRejectedMs = newest(channels.map(channel => channel.lastRejectedMs))
  const refusing = channels.find(channel => lastRejectedMs !== null && channel.lastRejectedMs === lastRejectedMs)
  return {
    ...{ protocol, url },
    lastReceivedMs: newest(channels.map(channel => channel.lastAcceptedMs)),
    received: sum(channels, ({ records }) => records),
    rejected: sum(channels, ({ rejectedRecords }) => rejectedRecords),
    lastError: refusing?.lastRejection ?? null
  }
}

/** `GET /api/v1/otlp/status` and `otlpStatus` of GraphQL. `urls` is called each time: ports are bound after the wiring. */
export function otlpReport(status: OtlpStatus, urls: () => OtlpUrls, ns: NamespaceId): OtlpReport {
  const channels = status.of(ns)
  const { http, grpc } = urls()
  const endpoints = OTLP_PROTOCOLS.map(protocol => endpointOf(protocol, protocol === 'grpc' ? grpc : http, channels))
  return { endpoints, channels, ...status.recentOf(ns) }
}
