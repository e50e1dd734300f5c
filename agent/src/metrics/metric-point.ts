/** One value of a series at the time of its collection; the labels get the host when it is sent. */
export interface MetricPoint {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly value: number
  readonly labels: Readonly<Record<string, string>>
}

export function gauge(name: string, value: number, labels: Readonly<Record<string, string>> = {}): MetricPoint {
  return { name, type: 'gauge', value, labels }
}

/** @param value since the start of what counts; it begins again when that starts again. */
export function counter(name: string, value: number, labels: Readonly<Record<string, string>> = {}): MetricPoint {
  return { name, type: 'counter', value, labels }
}
