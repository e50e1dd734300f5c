/** What a sender must change, by words of the rejection. The first match applies. */
const CURES: readonly (readonly [sign: string, cure: string])[] = [
  ['check its unit', 'Send times in nanoseconds since 1970. The sender uses another unit.'],
  ['timestamp_too_old', 'Send records sooner, or keep them longer under Settings, Retention.'],
  ['where the retention begins', 'Send records sooner, or keep them longer under Settings, Retention.'],
  ['is after', 'Set the clock of the sender, for example with NTP: its times are in the future.'],
  ['timestamp_in_future', 'Set the clock of the sender, for example with NTP: its times are in the future.'],
  ['temporality', 'Set a temporality: OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative.'],
  ['payload_too_large', 'Send smaller batches, for example with send_batch_max_size of the batch processor.'],
  ['record_too_large', 'Shorten the record, for example with OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT=8192.'],
  ['label_limit', 'Remove labels, or reduce the number of values of one: see Metrics, Cardinality.'],
  ['rate_limited', 'Nothing: senders repeat it. If it continues, send less or raise the rate limit of the service.'],
  ['quota_exceeded', 'Free storage, shorten the retention, or raise the quota of the namespace.'],
  ['storage_full', 'Free disk space on the server of the service. Senders repeat the request.'],
  ['overloaded', 'Nothing: senders repeat it. If it continues, the service needs more resources.'],
  ['store_unavailable', 'Nothing: senders repeat it. The store of the service is not reachable; see its health.'],
  ['namespace_not_allowed', 'Use a key of this namespace, or name one of its namespaces in x-service-namespace.'],
  ['scope_required', 'Use a key of kind INGEST. Keys of other kinds do not write over OTLP.'],
  ['credential', 'Send a valid key of kind INGEST in the header x-api-key.'],
  ['unsupported_media_type', 'Set the content type to application/x-protobuf or application/json.'],
  ['invalid_json', 'Check that the body is JSON, and that its content type matches.'],
  ['traceId', 'Send trace ids of 32 hexadecimal digits that are not all zero.'],
  ['spanId', 'Send span ids of 16 hexadecimal digits that are not all zero.'],
  ['invalid_field', 'Correct the member that the sentence names; the other records of the request are not affected.']
]

/** How to end the rejections that a channel reports; null when nothing is known about them. */
export function cureOf(rejection: string): string | null {
  return CURES.find(([sign]) => rejection.includes(sign))?.[1] ?? null
}

/** Clocks of senders are as far apart as this without being wrong: queues and batches take time. */
const NOTABLE_AHEAD_MS = 2_000
const NOTABLE_BEHIND_MS = 60_000

/** What the difference between arrival and event time means; null when it is usual. */
export function skewWarning(clockSkewMs: number): string | null {
  if (clockSkewMs < -NOTABLE_AHEAD_MS) return 'the clock of the sender is ahead'
  if (clockSkewMs > NOTABLE_BEHIND_MS) return 'old records, or the clock of the sender is behind'
  return null
}
