const MINUTE_MS = 60_000

/** A point of a series of a host. */
export interface HostPoint {
  readonly name: string
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
  readonly type?: 'counter' | 'gauge'
  readonly ageMs?: number
}

/** As `POST /api/v1/ingest/batch` takes them, three minutes old. All have their age at one moment: rates are exact. */
export function hostPoints(host: string, points: readonly HostPoint[]): readonly object[] {
  const nowMs = Date.now()
  return points.map(({ name, value, labels = {}, type = 'gauge', ageMs = 3 * MINUTE_MS }) => {
    return { name, value, type, labels: { host, ...labels }, timestamp_ns: `${nowMs - ageMs}000000` }
  })
}

/** A counter that rises by `perSecond` over the last ten minutes, a sample every 15 s. */
export function rising(name: string, perSecond: number, labels: Readonly<Record<string, string>> = {}): readonly HostPoint[] {
  const ages = Array.from({ length: 40 }, (_, i) => (39 - i) * 15_000)
  return ages.map(ageMs => ({ name, labels, type: 'counter', ageMs, value: ((10 * MINUTE_MS - ageMs) / 1_000) * perSecond }))
}
