import type { SloContent, SloIndicator } from '../../domain/alerts/slo.js'
import { unreachable } from '../../domain/errors.js'
import { labelsObject } from '../evaluate/parse-rule/rule-json.js'

const DAY_MS = 86_400_000

function indicatorJson(indicator: SloIndicator): Readonly<Record<string, unknown>> {
  switch (indicator.kind) {
    case 'ratio': {
      const { good, bad, total } = indicator
      return { ratio: { ...(good !== null && { good }), ...(bad !== null && { bad }), total } }
    }
    case 'availability':
      return { availability: indicator.operation === null ? {} : { operation: indicator.operation } }
    case 'latency':
      return { latency: { operation: indicator.operation, threshold_ms: indicator.thresholdMs } }
    default:
      return unreachable(indicator)
  }
}

/** An SLO as REST and GraphQL have it: `parseSlo` reads it again. */
export function sloDocument(content: SloContent): Readonly<Record<string, unknown>> {
  const { name, service, description, objective, windowMs, indicator, alerts, minEvents, enabled, runbookUrl } = content
  const { labels, pageLabels, ticketLabels, annotations } = content
  return {
    ...{ name, service },
    ...(description !== null && { description }),
    objective,
    window: `${windowMs / DAY_MS}d`,
    indicator: indicatorJson(indicator),
    alerts,
    min_events: minEvents,
    ...(labels.length > 0 && { labels: labelsObject(labels) }),
    ...(pageLabels.length > 0 && { page_labels: labelsObject(pageLabels) }),
    ...(ticketLabels.length > 0 && { ticket_labels: labelsObject(ticketLabels) }),
    ...(annotations.length > 0 && { annotations: labelsObject(annotations) }),
    ...(runbookUrl !== null && { runbook_url: runbookUrl }),
    enabled
  }
}
