import type { AlertInstance, AlertTransition } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'
import type { FoundAlert } from './advance.js'

/** Which labels two of the alerts share; null when all labels differ. */
export function duplicateOf(alerts: readonly FoundAlert[]): string | null {
  const seen = new Set<string>()
  for (const { fingerprint, labels } of alerts) {
    if (seen.has(fingerprint)) {
      const shown = labels.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(', ')
      return `vector contains metrics with the same labelset after applying alert labels: {${shown}}; keep a label that differs`
    }
    seen.add(fingerprint)
  }
  return null
}

function isSameList(a: readonly Label[], b: readonly Label[]): boolean {
  return a === b || (a.length === b.length && a.every(({ name, value }, i) => name === b[i]!.name && value === b[i]!.value))
}

/** Whether two instances of one fingerprint have equal members. */
export function isSameInstance(a: AlertInstance, b: AlertInstance): boolean {
  if (a === b) return true
  return (
    a.state === b.state &&
    a.activeAtMs === b.activeAtMs &&
    a.firedAtMs === b.firedAtMs &&
    a.keepSinceMs === b.keepSinceMs &&
    a.resolvedAtMs === b.resolvedAtMs &&
    Object.is(a.value, b.value) &&
    a.seen === b.seen &&
    isSameList(a.annotations, b.annotations)
  )
}

/**
 * What changed its state, by fingerprint. An instance begins and ends `inactive`; one that ends after it was resolved has
 * no transition: `resolved` was its end.
 */
export function transitionsBetween(
  before: ReadonlyMap<string, AlertInstance>,
  after: ReadonlyMap<string, AlertInstance>,
  atMs: number
): readonly AlertTransition[] {
  const transitions: AlertTransition[] = []
  const add = (instance: AlertInstance, from: AlertTransition['from'], to: AlertTransition['to']): void => {
    const { fingerprint, labels, annotations, activeAtMs: startsAtMs, value } = instance
    if (from !== to) transitions.push({ fingerprint, labels, annotations, from, to, atMs, startsAtMs, value })
  }
  for (const instance of after.values()) add(instance, before.get(instance.fingerprint)?.state ?? 'inactive', instance.state)
  for (const instance of before.values())
    if (!after.has(instance.fingerprint) && instance.state !== 'resolved') add(instance, instance.state, 'inactive')
  return transitions.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
}
