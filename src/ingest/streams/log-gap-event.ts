import type { NamespaceId } from '../../domain/ids.js'
import type { FoundGap, StreamGap } from '../../domain/log-stream.js'
import { labelsOfValues } from '../../domain/metric-point.js'
import { FOUND_EVENT_ID, LOG_GAP, type ServiceEvent } from '../../domain/service-event.js'

/** Gaps of one stream that are found within this time have one event. */
export const GAP_PERIOD_MS = 60_000

/** Characters of a service and a host, of a path in a title, and of a path in an attribute. */
const MAX_NAME = 255
const MAX_TITLE_PATH = 512
const MAX_PATH = 1_024

/** At most `most` characters; a longer text ends with an ellipsis, and no surrogate pair is divided. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Without control characters and the line and paragraph separators of Unicode. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}

function linesOf({ lines }: StreamGap): string {
  if (lines === null) return 'An unknown number of lines'
  return lines === 1 ? '1 line' : `${lines} lines`
}

function titleOf({ streamId, host, path, gap }: FoundGap): string {
  const of = path === null ? `log stream ${streamId}` : cut(path, MAX_TITLE_PATH)
  const on = host === null ? '' : ` on ${cut(host, MAX_NAME)}`
  const reason = gap.code === null ? gap.reason : `${gap.reason}: ${gap.code}`
  return oneLine(`${linesOf(gap)} of ${of}${on} ${gap.lines === 1 ? 'is' : 'are'} missing (${reason})`)
}

const NONE = { version: null, environment: null, url: null } as const

/** The start of the period in which a gap was found. */
export function periodOf(ms: number): number {
  return Math.floor(ms / GAP_PERIOD_MS) * GAP_PERIOD_MS
}

/**
 * The event of the first gap of a stream in a period. Its id is that of the stream and the period: each gateway makes the
 * same one. `atMs` is its time; an event that is added late has the time of the gap as an attribute.
 */
export function logGapEvent(found: FoundGap, atMs: number): ServiceEvent {
  const { namespaceId, streamId, host, path, service, gap } = found
  const foundAt = atMs === gap.atMs ? null : new Date(gap.atMs).toISOString()
  return {
    ...NONE,
    ...{ namespaceId, atMs, type: LOG_GAP, id: `${FOUND_EVENT_ID}${streamId}:${periodOf(gap.atMs) / GAP_PERIOD_MS}` },
    service: service === null ? null : cut(service, MAX_NAME),
    title: titleOf(found),
    attributes: labelsOfValues({
      ...{ stream: streamId, reason: gap.reason, code: gap.code, found_at: foundAt },
      lines: gap.lines === null ? null : String(gap.lines),
      host: host === null ? null : cut(host, MAX_NAME),
      path: path === null ? null : cut(path, MAX_PATH)
    })
  }
}

/** The event of a period in which more streams have gaps than have events of their own. */
export function manyGapsEvent(namespaceId: NamespaceId, streams: number, periodMs: number, atMs: number): ServiceEvent {
  const from = new Date(periodMs).toISOString()
  return {
    ...NONE,
    ...{ namespaceId, atMs, type: LOG_GAP, id: `${FOUND_EVENT_ID}many:${periodMs / GAP_PERIOD_MS}`, service: null },
    title: `Lines of ${streams} log streams are missing, found in the minute from ${from}; not each has an event`,
    attributes: labelsOfValues({ streams: String(streams), found_at: from })
  }
}
