import type { FileSource } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import { formatTime, type LogItem } from './log-item.js'
import { parseSyslog } from './syslog.js'

/**
 * The records of a part of a file: the same for the same lines and sealing time. Lines without a time get the sealing
 * time, one nanosecond apart, and `_read_time`. Blank lines are no records.
 */
export function toItems(lines: readonly Line[], { format, service }: FileSource, sealedAtMs: number): readonly LogItem[] {
  const items: LogItem[] = []
  for (const [index, { text, isPartial, isTruncated }] of lines.entries()) {
    if (text === '') continue
    const syslog = format === 'syslog' ? parseSyslog(text, sealedAtMs) : null
    const marks = { ...(isPartial && { _partial: true }), ...(isTruncated && { _truncated: true }) }
    const app = service === null ? undefined : syslog?.service
    const fields = {
      ...(app !== undefined && { app }),
      ...syslog?.fields,
      ...(syslog === null && { _read_time: true }),
      ...marks
    }
    items.push({
      message: syslog?.message ?? text,
      timestamp: syslog?.timestamp ?? formatTime(sealedAtMs, index),
      ...(syslog?.host !== undefined && { host: syslog.host }),
      // A service of the configuration is meant for the whole file.
      ...(service === null && syslog?.service !== undefined && { service: syslog.service }),
      ...(syslog?.level !== undefined && { level: syslog.level }),
      ...(Object.keys(fields).length > 0 && { log_fields: fields })
    })
  }
  return items
}
