import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import { type AlertMessage, generatorUrl, labelObject, timeText } from './alertmanager-data.js'

/** How often an Alertmanager gets alerts that fire; Prometheus's default of `--rules.alert.resend-delay`. */
export const ALERTMANAGER_RESEND_MS = 60_000
/** It takes an alert that it does not get again as resolved after this time: four times the resend interval, as Prometheus. */
const VALID_MS = 4 * ALERTMANAGER_RESEND_MS

function toPosted({ labels, annotations, startsAtMs, endsAtMs, ruleId }: NotifiedAlert, message: AlertMessage): string {
  const generatorURL = generatorUrl(message.externalUrl, ruleId)
  return JSON.stringify({
    labels: labelObject(labels),
    annotations: labelObject(annotations),
    startsAt: timeText(startsAtMs),
    endsAt: timeText(endsAtMs ?? message.atMs + VALID_MS),
    ...(generatorURL !== '' && { generatorURL })
  })
}

/** Bytes of a body, enough for some thousand alerts. An alert beyond counts as resolved there. */
export const MAX_POSTED_BYTES = 4 * 1024 * 1024

/** Body of `POST /api/v2/alerts` of an Alertmanager. Source: Alertmanager, `api/v2/openapi.yaml`. */
export function alertmanagerBody(message: AlertMessage): string {
  const posted: string[] = []
  let left = MAX_POSTED_BYTES - '[]'.length
  for (const alert of message.alerts) {
    const text = toPosted(alert, message)
    left -= Buffer.byteLength(text) + 1
    if (left < 0) break
    posted.push(text)
  }
  return `[${posted.join(',')}]`
}
