import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { FIRST_RULE_STATE } from '../../../src/domain/alerts/alert-state.js'
import { evaluate } from '../../../src/alerting/evaluate/evaluate.js'
import { element, preparedOf, vectorOf } from '../../support/alert-rules.js'

// The algorithm of Prometheus (`AlertingRule.Eval`, rules/alerting.go), restated with its own names over mutable alerts.

interface Alert {
  State: 'inactive' | 'pending' | 'firing'
  Value: number
  ActiveAt: number
  FiredAt: number | null
  ResolvedAt: number | null
  KeepFiringSince: number | null
}

const RESOLVED_RETENTION = 15 * 60_000

function evalAsPrometheus(
  active: Map<string, Alert>,
  res: ReadonlyMap<string, number>,
  ts: number,
  { holdDuration, keepFiringFor }: { readonly holdDuration: number; readonly keepFiringFor: number }
): void {
  for (const [fp, value] of res) {
    const alert = active.get(fp)
    if (alert !== undefined && alert.State !== 'inactive') {
      alert.Value = value
      continue
    }
    active.set(fp, { State: 'pending', Value: value, ActiveAt: ts, FiredAt: null, ResolvedAt: null, KeepFiringSince: null })
  }
  for (const [fp, a] of active) {
    if (!res.has(fp)) {
      let keepFiring = false
      if (a.State === 'firing' && keepFiringFor > 0) {
        a.KeepFiringSince ??= ts
        keepFiring = ts - a.KeepFiringSince < keepFiringFor
      }
      if (a.State === 'pending' || (a.ResolvedAt !== null && ts - a.ResolvedAt > RESOLVED_RETENTION)) active.delete(fp)
      if (a.State !== 'inactive' && !keepFiring) {
        a.State = 'inactive'
        a.ResolvedAt = ts
      }
      if (!keepFiring) continue
    } else a.KeepFiringSince = null
    if (a.State === 'pending' && ts - a.ActiveAt >= holdDuration) {
      a.State = 'firing'
      a.FiredAt = ts
    }
    if (a.State === 'firing' && ts - a.ActiveAt < holdDuration) {
      a.State = 'pending'
      a.FiredAt = null
      a.KeepFiringSince = null
    }
  }
}

const SERIES = ['a', 'b', 'c']
const durations = fc.constantFrom(0, 1, 60_000, 90_000, 120_000, 300_000, 900_000)
const timing = fc.record({ holdDuration: durations, keepFiringFor: durations })
/** Which series are there at a step, how long after the step before it is, and whether the rule is changed before it. */
const step = fc.record({
  afterMs: fc.constantFrom(15_000, 60_000, 60_000, 60_000, 61_000, 300_000, 901_000),
  there: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  change: fc.option(timing, { freq: 12 })
})
/** Series that stay as they are for some steps, as real ones do. */
const steps = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 6 })), { minLength: 5, maxLength: 15 })

describe('the fold and the algorithm of Prometheus', () => {
  it('have the same states and times over 1,000 random series with gaps and changed rules', () => {
    fc.assert(
      fc.property(timing, steps, (first, runs) => {
        let current = first
        let state = FIRST_RULE_STATE
        let atMs = 0
        const active = new Map<string, Alert>()
        for (const { afterMs, there, change } of runs.flatMap(([one, times]) =>
          Array.from({ length: times }, (_, i) => (i === 0 ? one : { ...one, change: null }))
        )) {
          atMs += afterMs
          current = change ?? current
          const res = new Map(SERIES.filter((_, i) => there[i]).map((name, i) => [name, i + atMs] as const))
          evalAsPrometheus(active, res, atMs, current)
          const rule = preparedOf({ forMs: current.holdDuration, keepFiringForMs: current.keepFiringFor })
          const vector = vectorOf([...res].map(([name, value]) => element({ name }, value)))
          state = evaluate(rule, state, vector, atMs).state
          const ours = [...state.instances.values()].map(instance => {
            const name = instance.labels.find(label => label.name === 'name')!.value
            const { activeAtMs: ActiveAt, firedAtMs: FiredAt, resolvedAtMs: ResolvedAt, value: Value } = instance
            const isResolved = instance.state === 'resolved'
            const State = isResolved ? 'inactive' : instance.state
            // Prometheus keeps this time of a resolved alert, and never looks at it again.
            const KeepFiringSince = isResolved ? null : instance.keepSinceMs
            return [name, { State, Value, ActiveAt, FiredAt, ResolvedAt, KeepFiringSince }] as const
          })
          const theirs = [...active].map(([name, alert]) => {
            return [name, alert.State === 'inactive' ? { ...alert, KeepFiringSince: null } : { ...alert }] as const
          })
          expect(new Map(ours)).toEqual(new Map(theirs))
        }
      }),
      { numRuns: 1_000 }
    )
  })
})
