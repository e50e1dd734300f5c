import type { ApmError } from '../../domain/records/error.js'
import type { LogRecord } from '../../domain/records/log.js'
import type { RumEvent } from '../../domain/records/rum.js'
import type { Span, SpanEvent, SpanLink } from '../../domain/span.js'
import { fingerprint } from '../fingerprint.js'
import type { Redaction } from './redaction.js'

/** The log without secrets in any of its strings. */
export function redactLog(log: LogRecord, redaction: Redaction): LogRecord {
  return {
    ...log,
    message: redaction.text(log.message),
    level: redaction.textOrNull(log.level),
    levelText: redaction.textOrNull(log.levelText),
    service: redaction.textOrNull(log.service),
    host: redaction.textOrNull(log.host),
    environment: redaction.textOrNull(log.environment),
    source: redaction.textOrNull(log.source),
    traceId: redaction.id(log.traceId),
    spanId: redaction.id(log.spanId),
    fields: redaction.object(log.fields),
    tags: redaction.shared(log.tags)
  }
}

function redactEvent(event: SpanEvent, redaction: Redaction): SpanEvent {
  return { ...event, name: redaction.text(event.name), attributes: redaction.object(event.attributes) }
}

function redactLink(link: SpanLink, redaction: Redaction): SpanLink {
  return { ...link, traceState: redaction.text(link.traceState), attributes: redaction.object(link.attributes) }
}

/** The span without secrets in any of its strings; its ids are bytes. */
export function redactSpan(span: Span, redaction: Redaction): Span {
  return {
    ...span,
    name: redaction.text(span.name),
    traceState: redaction.text(span.traceState),
    statusMessage: redaction.textOrNull(span.statusMessage),
    service: redaction.textOrNull(span.service),
    host: redaction.textOrNull(span.host),
    scopeName: redaction.text(span.scopeName),
    scopeVersion: redaction.text(span.scopeVersion),
    attributes: redaction.object(span.attributes),
    resource: redaction.shared(span.resource),
    events: span.events.map(event => redactEvent(event, redaction)),
    links: span.links.map(link => redactLink(link, redaction))
  }
}

/** The error without secrets in any of its strings. Its group is that of what is stored: a hash of a secret is one, too. */
export function redactError(error: ApmError, redaction: Redaction): ApmError {
  const service = redaction.text(error.service)
  const type = redaction.text(error.type)
  const message = redaction.text(error.message)
  const stack = redaction.textOrNull(error.stack)
  const isSame = service === error.service && type === error.type && message === error.message && stack === error.stack
  return {
    ...error,
    ...{ service, type, message, stack },
    traceId: redaction.id(error.traceId),
    spanId: redaction.id(error.spanId),
    host: redaction.textOrNull(error.host),
    tags: redaction.object(error.tags),
    fingerprint: isSame ? error.fingerprint : fingerprint({ service, type, message, stack })
  }
}

/** The page view without secrets in any of its strings. */
export function redactRum(event: RumEvent, redaction: Redaction): RumEvent {
  return {
    ...event,
    pageUrl: redaction.text(event.pageUrl),
    pageGroup: redaction.text(event.pageGroup),
    pageTitle: redaction.textOrNull(event.pageTitle),
    sessionId: redaction.textOrNull(event.sessionId),
    deviceType: redaction.textOrNull(event.deviceType),
    browser: redaction.textOrNull(event.browser),
    os: redaction.textOrNull(event.os),
    country: redaction.textOrNull(event.country),
    connectionType: redaction.textOrNull(event.connectionType),
    traceId: redaction.id(event.traceId),
    release: redaction.textOrNull(event.release),
    tags: redaction.object(event.tags)
  }
}
