import { formatDurationMs } from '../../domain/duration.js'
import { metricNames, type SavedMeasure } from '../../domain/saved-measure.js'
import type { MeasureReply } from '../routes/measures-schemas.js'
import { timeJson } from './alert-json.js'

function backfillJson({ backfill }: SavedMeasure): MeasureReply['backfill'] {
  if (backfill === null) return null
  const { fromMs, nextMs, untilMs } = backfill
  const state = nextMs < untilMs ? 'running' : 'done'
  return { from: timeJson(fromMs), done_until: timeJson(nextMs), until: timeJson(untilMs), state }
}

/** A saved measure with how far it is computed. */
export function measureJson(measure: SavedMeasure): MeasureReply {
  const { name, description, signal, query, fn, field, groupBy, stepMs, bounds, error, incomplete } = measure
  return {
    ...{ name, description, metrics: [...metricNames(measure)], signal, query, fn, field, group_by: [...groupBy] },
    ...{ step: formatDurationMs(stepMs), bounds: [...bounds], created_by: measure.createdBy },
    created_at: timeJson(measure.createdAtMs),
    ...{ counted_until: timeJson(measure.countedMs), settled_until: timeJson(measure.settledMs) },
    ...{ backfill: backfillJson(measure), error },
    incomplete: incomplete && { at: timeJson(incomplete.atMs), detail: incomplete.detail }
  }
}
