/** The response of a cluster; refusals are responses too. */
export interface EngineResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends one request of an examination; rejects when the cluster cannot be reached. A string is sent as NDJSON. */
export type SendRequest = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object | string
) => Promise<EngineResponse>

/** A value at a path of a result; undefined when anything on the way is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value
  )
}

/** The values of an object, whatever their keys. */
export function memberValues(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

/** Why the cluster refused, in its own words; of a bulk, why it refused the first item. */
export function refusalReason({ status, body }: EngineResponse): string {
  const ofItem = at(memberValues(at(body, 'items', '0'))[0], 'error', 'reason')
  const reason = ofItem ?? at(body, 'error', 'root_cause', '0', 'reason') ?? at(body, 'error', 'reason') ?? at(body, 'error')
  return typeof reason === 'string' ? reason : `status ${status}`
}
