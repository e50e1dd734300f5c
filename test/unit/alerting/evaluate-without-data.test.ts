import { describe, expect, it } from '@jest/globals'
import { element, Evaluations, labelsOf, preparedOf, vectorOf } from '../../support/alert-rules.js'

const MINUTE_MS = 60_000
const A = { job: 'a' }
const B = { job: 'b' }
const NONE = vectorOf([])
const NO_DATA = vectorOf([], false)
const ERROR = { kind: 'error', message: 'the metric store does not respond' } as const
const SKIPPED = { kind: 'skipped' } as const
const present = (...jobs: readonly Readonly<Record<string, string>>[]): ReturnType<typeof vectorOf> =>
  vectorOf(jobs.map(job => element(job)))

describe('no data', () => {
  it('never resolves: firing instances are nodata with their labels and last value, and fire again', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, vectorOf([element(A, 5)]))
    expect(run.at(1, NO_DATA)).toEqual(['firing>nodata'])
    expect([...run.state.instances.values()][0]).toMatchObject({ labels: labelsOf({ alertname: 'Test', job: 'a' }), value: 5 })
    expect(run.at(2, NO_DATA)).toEqual([])
    expect(run.at(3, present(A))).toEqual(['nodata>firing'])
    expect([...run.state.instances.values()][0]).toMatchObject({ activeAtMs: 0, firedAtMs: 0 })
  })

  it('resolves a nodata instance when there is data without it', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, present(A))
    run.at(1, NO_DATA)
    expect(run.at(2, NONE)).toEqual(['nodata>resolved'])
  })

  it('makes the rule as a whole nodata when it has no instance', () => {
    const run = new Evaluations(preparedOf({ severity: 'warning' }))
    expect(run.at(0, NO_DATA)).toEqual(['inactive>nodata'])
    expect([...run.state.instances.values()][0]).toMatchObject({
      labels: labelsOf({ alertname: 'Test', alert_reason: 'nodata', severity: 'warning' }),
      value: null
    })
    expect(run.at(1, present(A))).toEqual(expect.arrayContaining(['nodata>resolved', 'inactive>firing']))
  })

  it('begins `for` again after it', () => {
    const run = new Evaluations(preparedOf({ forMs: 2 * MINUTE_MS }))
    run.at(0, present(A))
    expect(run.at(1, NO_DATA)).toEqual(['pending>nodata'])
    expect(run.at(2, present(A))).toEqual(['nodata>pending'])
    expect(run.at(3, present(A))).toEqual([])
    expect(run.at(4, present(A))).toEqual(['pending>firing'])
  })

  it('resolves with `ok`, changes nothing with `keep`', () => {
    const ok = new Evaluations(preparedOf({ noData: 'ok' }))
    ok.at(0, present(A))
    expect(ok.at(1, NO_DATA)).toEqual(['firing>resolved'])
    const keep = new Evaluations(preparedOf({ noData: 'keep' }))
    keep.at(0, present(A))
    expect(keep.at(1, NO_DATA)).toEqual([])
    expect(keep.states()).toEqual({ a: 'firing' })
  })

  it('counts as the condition with `firing`', () => {
    const run = new Evaluations(preparedOf({ noData: 'firing', forMs: MINUTE_MS }))
    expect(run.at(0, NO_DATA)).toEqual(['inactive>pending'])
    expect(run.at(1, NO_DATA)).toEqual(['pending>firing'])
    expect(run.states('alert_reason')).toEqual({ nodata: 'firing' })
    expect(run.at(2, present(A))).toEqual(expect.arrayContaining(['firing>resolved', 'inactive>pending']))
    expect(run.at(3, NO_DATA)).toEqual(['pending>firing'])
    expect(run.states()).toEqual({ a: 'firing', '': 'resolved' })
  })
})

describe('errors', () => {
  it('keep every instance, and make the rule an instance after three in a row', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, present(A))
    expect(run.at(1, ERROR)).toEqual([])
    expect(run.state).toMatchObject({ error: ERROR.message, errorsInRow: 1, lastEvalMs: MINUTE_MS })
    expect(run.at(2, ERROR)).toEqual([])
    expect(run.at(3, ERROR)).toEqual(['inactive>error'])
    expect(run.at(4, ERROR)).toEqual([])
    expect(run.states('alert_reason')).toEqual({ '': 'firing', error: 'error' })
    expect(run.at(5, present(A))).toEqual(['error>resolved'])
    expect(run.state).toMatchObject({ error: null, errorsInRow: 0 })
  })

  it('do not begin `for` again', () => {
    const run = new Evaluations(preparedOf({ forMs: 3 * MINUTE_MS }))
    run.at(0, present(A))
    run.at(1, ERROR)
    run.at(2, ERROR)
    expect(run.at(3, present(A))).toEqual(['pending>firing'])
  })

  it('are nothing but a message with `keep`, and the condition with `firing`', () => {
    const keep = new Evaluations(preparedOf({ onError: 'keep' }))
    for (let minute = 0; minute < 5; minute++) expect(keep.at(minute, ERROR)).toEqual([])
    expect(keep.state.errorsInRow).toBe(5)
    const firing = new Evaluations(preparedOf({ onError: 'firing', forMs: MINUTE_MS }))
    expect(firing.at(0, ERROR)).toEqual(['inactive>pending'])
    expect(firing.at(1, ERROR)).toEqual(['pending>firing'])
    expect(firing.at(2, NONE)).toEqual(['firing>resolved'])
  })

  it('end with a condition without data', () => {
    const run = new Evaluations(preparedOf())
    for (const minute of [0, 1, 2]) run.at(minute, ERROR)
    expect(run.at(3, NO_DATA)).toEqual(expect.arrayContaining(['error>resolved', 'inactive>nodata']))
  })
})

describe('steps that were skipped', () => {
  it('make instances unknown until the next evaluation', () => {
    const run = new Evaluations(preparedOf({ forMs: MINUTE_MS }))
    run.at(0, present(A))
    run.at(1, present(A, B))
    expect(run.at(200, SKIPPED)).toEqual(['firing>unknown', 'pending>unknown'].toSorted(() => 0))
    expect(run.states()).toEqual({ a: 'unknown', b: 'unknown' })
    run.at(201, present(A, B))
    expect(run.states()).toEqual({ a: 'firing', b: 'pending' })
  })

  it('resolve what fired, and forget what was pending', () => {
    const run = new Evaluations(preparedOf({ forMs: MINUTE_MS }))
    run.at(0, present(A))
    run.at(1, present(A, B))
    run.at(200, SKIPPED)
    expect(run.at(201, NONE)).toEqual(expect.arrayContaining(['unknown>resolved', 'unknown>inactive']))
  })
})

describe('absence', () => {
  const rule = preparedOf({ condition: { kind: 'absence', of: { kind: 'host', host: null }, forMs: MINUTE_MS } })
  const absence = (missing: readonly Readonly<Record<string, string>>[], there: readonly Readonly<Record<string, string>>[]) =>
    ({ ...vectorOf(missing.map(each => element(each))), present: there.map(each => element(each)) }) as ReturnType<
      typeof vectorOf
    >

  it('lasts until the source is back, also when the source is not known any more', () => {
    const run = new Evaluations(rule)
    expect(run.at(0, absence([A], [B]))).toEqual(['inactive>firing'])
    expect(run.at(61, absence([], [B]))).toEqual([])
    expect(run.at(90, absence([], [A, B]))).toEqual(['firing>resolved'])
  })

  it('ends after a day', () => {
    const run = new Evaluations(rule)
    run.at(0, absence([A], [B]))
    expect(run.at(24 * 60, absence([], [B]))).toEqual([])
    expect(run.at(24 * 60 + 1, absence([], [B]))).toEqual(['firing>resolved'])
  })
})

describe('for_n_of_m', () => {
  const rule = preparedOf({ forNOfM: [3, 5] })

  it('fires when n of the last m evaluations had the element', () => {
    const run = new Evaluations(rule)
    expect(run.at(0, present(A))).toEqual(['inactive>pending'])
    expect(run.at(1, NONE)).toEqual([])
    expect(run.at(2, present(A))).toEqual([])
    expect(run.at(3, NONE)).toEqual([])
    expect(run.at(4, present(A))).toEqual(['pending>firing'])
    expect(run.at(5, NONE)).toEqual(['firing>resolved'])
  })

  it('ends a pending instance when none of the last m had it', () => {
    const run = new Evaluations(rule)
    run.at(0, present(A))
    for (const minute of [1, 2, 3, 4]) expect(run.at(minute, NONE)).toEqual([])
    expect(run.at(5, NONE)).toEqual(['pending>inactive'])
  })

  it('keeps firing for keep_firing_for with too few of them', () => {
    const run = new Evaluations(preparedOf({ forNOfM: [2, 2], keepFiringForMs: 2 * MINUTE_MS }))
    run.at(0, present(A))
    run.at(1, present(A))
    expect(run.at(2, NONE)).toEqual([])
    expect(run.at(3, present(A))).toEqual([])
    expect(run.at(4, NONE)).toEqual(['firing>resolved'])
  })

  it('does not count evaluations without data', () => {
    const run = new Evaluations(rule)
    for (const minute of [0, 1, 2]) run.at(minute, present(A))
    for (const minute of [3, 4, 5, 6, 7, 8]) run.at(minute, NO_DATA)
    expect(run.at(9, present(A))).toEqual(['nodata>firing'])
  })
})
