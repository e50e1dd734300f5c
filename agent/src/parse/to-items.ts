import type { FileSource, LineFormat } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import { parseCri } from './cri.js'
import { formatTime, type LogItem } from './log-item.js'
import { parseLogfmt } from './logfmt.js'
import type { ParsedLine } from './parsed-line.js'
import { parseSyslog } from './syslog.js'

type LineParser = (line: string, readMs: number) => ParsedLine | null

/** What a line of a format states; null for a line that is not of it. JSON is parsed by the service (`parse_message`). */
const PARSERS: Readonly<Record<LineFormat, LineParser>> = {
  plain: () => null,
  syslog: parseSyslog,
  json: () => null,
  logfmt: parseLogfmt,
  cri: parseCri
}

/** A line that the service reads the time of, or takes the time of its arrival for. */
function isJson(text: string, format: LineFormat): boolean {
  return format === 'json' && /^\s*\{/.test(text)
}

function toItem({ text, isPartial, isTruncated }: Line, source: FileSource, readMs: number, index: number): LogItem {
  const { format, service } = source
  const parsed = PARSERS[format](text, readMs)
  const isTimed = parsed?.timestamp !== undefined || isJson(text, format)
  // A service of the configuration is meant for the whole file.
  const app = service === null ? undefined : parsed?.service
  const fields = {
    ...(app !== undefined && { app }),
    ...parsed?.fields,
    ...(!isTimed && { _read_time: true }),
    ...(isPartial && { _partial: true }),
    ...(isTruncated && { _truncated: true })
  }
  const timestamp = parsed?.timestamp ?? (isTimed ? undefined : formatTime(readMs, index))
  return {
    message: parsed?.message ?? text,
    ...(timestamp !== undefined && { timestamp }),
    ...(parsed?.host !== undefined && { host: parsed.host }),
    ...(service === null && parsed?.service !== undefined && { service: parsed.service }),
    ...(parsed?.level !== undefined && { level: parsed.level }),
    ...(parsed?.traceId !== undefined && { trace_id: parsed.traceId }),
    ...(parsed?.spanId !== undefined && { span_id: parsed.spanId }),
    ...(Object.keys(fields).length > 0 && { log_fields: fields })
  }
}

/**
 * The records of a part of a file: the same for the same lines and sealing time. Lines without a time get the sealing
 * time, one nanosecond apart, and `_read_time`. Blank lines are not records.
 */
export function toItems(lines: readonly Line[], source: FileSource, sealedAtMs: number): readonly LogItem[] {
  const items: LogItem[] = []
  for (const [index, line] of lines.entries()) if (line.text !== '') items.push(toItem(line, source, sealedAtMs, index))
  return items
}
