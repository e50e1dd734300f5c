/** Bounds of ingest ("Limits" in docs/conventions.md). Sizes are bytes of UTF-8 unless noted otherwise. */
export interface IngestLimits {
  /** A JSON body, before and after decompression. */
  readonly bodyBytes: number
  /** The body of a page view: one record, written with whichever escapes. */
  readonly pageViewBytes: number
  /** An OTLP body in protobuf, before and after decompression. */
  readonly otlpBodyBytes: number
  /** Log records, spans or data points of one OTLP body; samples of one remote write, a native histogram counting as four or more; samples or lines of one text of metrics. */
  readonly otlpRecords: number
  /** Events that are kept of a span, and links; what is beyond is counted as dropped. */
  readonly spanEvents: number
  readonly spanLinks: number
  /** Series whose delta points are being added up, of all namespaces together. */
  readonly deltaSeries: number
  /** Records of one request. */
  readonly batchRecords: number
  /** Messages and stack traces; what is longer is cut and marked. */
  readonly messageBytes: number
  /** Fields of `log_fields` and of `tags`, counted at their leaves. */
  readonly fields: number
  /** Name of a field. */
  readonly fieldNameBytes: number
  /** One value; an array counts as one. */
  readonly fieldValueBytes: number
  /** Levels of objects and arrays inside `log_fields` or `tags`. */
  readonly depth: number
  /** Labels of a metric point. */
  readonly labels: number
  readonly labelNameBytes: number
  readonly labelValueBytes: number
  /** Names and values of all labels of a point together, in characters: V8 hashes longer strings badly, and series are known by their strings. */
  readonly labelsChars: number
  readonly metricNameBytes: number
  /** How far ahead of the server's clock an event time may be. */
  readonly futureMs: number
  /** Ingest of a namespace in decompressed bytes a second. */
  readonly bytesPerSecond: number
  /** Seconds of `bytesPerSecond` that may come at once. */
  readonly burstSeconds: number
  /** RUM events a second of one key from one address, with ten times that at once. */
  readonly rumPerAddress: number
  /** RUM events a second of one key from all addresses, with ten times that at once. */
  readonly rumPerKey: number
  /** Bodies above `sliceBytes` that may be in flight at once, in bytes; more is refused as `overloaded`. */
  readonly largeBodiesBytes: number
  /** Bodies above this are parsed in slices of half this size, one slice per turn of the event loop. */
  readonly sliceBytes: number
  /** How long an `Idempotency-Key` is remembered. */
  readonly idempotencyMs: number
}

const KIB = 1024
const MIB = 1024 * KIB

/** The defaults of "Limits" in docs/conventions.md. */
export const DEFAULT_INGEST_LIMITS: IngestLimits = Object.freeze({
  bodyBytes: 10 * MIB,
  pageViewBytes: MIB,
  otlpBodyBytes: 64 * MIB,
  otlpRecords: 100_000,
  spanEvents: 1_000,
  spanLinks: 1_000,
  deltaSeries: 100_000,
  batchRecords: 10_000,
  messageBytes: 256 * KIB,
  fields: 256,
  fieldNameBytes: 128,
  fieldValueBytes: 31 * KIB,
  depth: 8,
  labels: 20,
  labelNameBytes: 128,
  labelValueBytes: KIB,
  labelsChars: 15 * KIB,
  metricNameBytes: 256,
  futureMs: 3_600_000,
  bytesPerSecond: 50 * MIB,
  burstSeconds: 2,
  rumPerAddress: 50,
  rumPerKey: 1_000,
  largeBodiesBytes: 128 * MIB,
  sliceBytes: 256 * KIB,
  idempotencyMs: 48 * 3_600_000
})
