import type { Config } from '../config/config.js'
import type { IngestLimits } from '../ingest/limits.js'
import { DEFAULT_INGEST_LIMITS } from '../ingest/limits.js'
import type { QuerySettings } from '../query/settings.js'
import { DEFAULT_QUERY_SETTINGS, PAGES_OF_REQUEST } from '../query/settings.js'

/** Bounds of ingest as the settings have them. */
export function ingestLimits(config: Config): IngestLimits {
  return Object.freeze({
    ...DEFAULT_INGEST_LIMITS,
    bodyBytes: config.limitBody,
    batchRecords: config.limitBatchRecords,
    messageBytes: config.limitMessage,
    fields: config.limitFields,
    fieldNameBytes: config.limitFieldName,
    fieldValueBytes: config.limitFieldValue,
    depth: config.limitFieldDepth,
    labels: config.limitLabels,
    labelNameBytes: config.limitLabelName,
    labelValueBytes: config.limitLabelValue,
    futureMs: config.limitFuture,
    bytesPerSecond: config.rateIngest
  })
}

/** The limit of a response of GraphQL: all rows of a request fit, and the schema does with pages of any size. */
export function maxResponseBytes({ maxRequestBytes }: QuerySettings): number {
  return Math.max(maxRequestBytes, DEFAULT_QUERY_SETTINGS.maxRequestBytes)
}

/** Bounds of reads as the settings have them. */
export function querySettings(config: Config): QuerySettings {
  return Object.freeze({
    ...DEFAULT_QUERY_SETTINGS,
    defaultRows: config.defaultPageRows,
    maxRows: config.limitPageRows,
    defaultTraces: config.defaultPageTraces,
    maxTraces: config.limitPageTraces,
    maxPageBytes: config.limitPageBytes,
    maxRequestBytes: PAGES_OF_REQUEST * config.limitPageBytes,
    timeoutMs: config.queryTimeout,
    maxPoints: config.limitPoints,
    allowsExperimental: config.promqlExperimental,
    ...(!config.queryPushDown && { wholeReadMs: Number.MAX_SAFE_INTEGER }),
    runningPerPrincipal: config.limitRunningQueries,
    queriesPerSecond: config.rateQueries
  })
}
