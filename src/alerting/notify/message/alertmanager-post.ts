import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import { type AlertMessage, labelObject, timeText } from './alertmanager-data.js'
import { ruleUrl } from './evidence.js'

/** How often an Alertmanager gets alerts that fire; Prometheus's default of `--rules.alert.resend-delay`. */
export const ALERTMANAGER_RESEND_MS = 60_000
/** It takes an alert that it does not get again as resolved after this time: four times the resend interval, as Prometheus. */
const VALID_MS = 4 * ALERTMANAGER_RESEND_MS

function toPosted({ labels, annotations, startsAtMs, endsAtMs, ruleId }: NotifiedAlert, message: AlertMessage): string {
  const generatorURL = ruleUrl(message, ruleId)
  return JSON.stringify({
    labels: labelObject(labels),
    annotations: labelObject(annotations),
    startsAt: timeText(startsAtMs),
    endsAt: timeText(endsAtMs ?? message.atMs + VALID_MS),
    ...(generatorURL !== '' && { generatorURL })
  })
}

/** Bytes of a body, enough for some thousand alerts. An alert that is larger by itself has a body of its own. */
export const MAX_POSTED_BYTES = 4 * 1024 * 1024

/**
 * Bodies of `POST /api/v2/alerts` of an Alertmanager. Each alert is in one of them: one that is left out counts as resolved
 * there, and a resolution that is left out as an alert that fires. Source: Alertmanager, `api/v2/openapi.yaml`.
 */
export function alertmanagerBodies(message: AlertMessage): readonly string[] {
  const bodies: string[] = []
  let posted: string[] = []
  let bytes = '[]'.length
  const close = (): void => {
    bodies.push(`[${posted.join(',')}]`)
    posted = []
    bytes = '[]'.length
  }
  for (const alert of message.alerts) {
    const text = toPosted(alert, message)
    const added = Buffer.byteLength(text) + 1
    if (posted.length > 0 && bytes + added > MAX_POSTED_BYTES) close()
    posted.push(text)
    bytes += added
  }
  close()
  return bodies
}
