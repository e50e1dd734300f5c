import type { ApiKeyKind } from '../api/generated/Keys.js'

/** Where a key is tried. URLs without a slash at the end. */
export interface KeyTarget {
  readonly apiUrl: string
  /** Base URL of OTLP/HTTP; null when no receiver is listening. */
  readonly otlpUrl: string | null
  /** The first origin of a key of kind RUM. */
  readonly origin: string | null
}

/** A string as one word of a POSIX shell. */
export function shellQuoted(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/** A command that shows that a key works. */
export function keyCommand(kind: ApiKeyKind, secret: string, { apiUrl, otlpUrl, origin }: KeyTarget): string {
  const key = `-H ${shellQuoted(`x-api-key: ${secret}`)}`
  const json = `-H 'content-type: application/json'`
  if (kind === 'QUERY') return `curl -sS ${shellQuoted(`${apiUrl}/api/v1/logs?limit=1`)} ${key}`
  if (kind === 'RUM') {
    const url = shellQuoted(`${apiUrl}/api/v1/apm/rum`)
    const body = shellQuoted(JSON.stringify({ page_url: `${origin ?? 'https://example.test'}/` }))
    return `curl -sS ${url} ${key} -H ${shellQuoted(`origin: ${origin ?? 'https://example.test'}`)} ${json} \\\n  -d ${body}`
  }
  const record = { severityNumber: 9, body: { stringValue: 'hello' } }
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
  return otlpUrl === null
    ? `curl -sS ${shellQuoted(`${apiUrl}/api/v1/logs`)} ${key} ${json} \\\n  -d '{"message":"hello"}'`
    : `curl -sS ${shellQuoted(`${otlpUrl}/v1/logs`)} ${key} ${json} \\\n  -d ${shellQuoted(body)}`
}
