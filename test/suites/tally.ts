import type { SentLog } from './sets.js'

/** Field as the service names it to how the file's logs have it; levels in their canonical form. */
export const FIELDS: Readonly<Record<string, (log: SentLog) => string | undefined>> = {
  service: log => log.service,
  host: log => log.host,
  level: log => canonicalLevel(log.level),
  event_id: log => text(log.log_fields['event_id']),
  pid: log => text(log.log_fields['pid']),
  node: log => text(log.log_fields['node']),
  container: log => text(log.log_fields['container'])
}

function text(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

/** "Vocabulary" in docs/conventions.md: lower case; the sets' one alias is Apache's `notice`. */
export function canonicalLevel(level: string | undefined): string | undefined {
  const lower = level?.toLowerCase()
  return lower === 'notice' ? 'info' : lower
}

/** How often each value occurs; logs without one are left out. */
export function tally(logs: readonly SentLog[], valueOf: (log: SentLog) => string | undefined): Map<string, number> {
  const counts = new Map<string, number>()
  for (const log of logs) {
    const value = valueOf(log)
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

/** Some words of the set's messages, rare and frequent, chosen the same way each time. */
export function someWords(logs: readonly SentLog[], count: number): string[] {
  const words = tally(
    logs.flatMap(log => (log.message.match(/[A-Za-z_][\w.:/-]{3,}/g) ?? []).map(word => ({ ...log, message: word }))),
    log => log.message
  )
  const sorted = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
  const step = Math.max(1, Math.floor(sorted.length / count))
  return sorted.filter((_, i) => i % step === 0).slice(0, count)
}

/** RFC 3339 with nine decimals, as the service returns it. */
export function fullTimestamp(timestamp: string): string {
  const [, seconds, decimals] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(timestamp)!
  return `${seconds!}.${(decimals ?? '').padEnd(9, '0')}Z`
}
