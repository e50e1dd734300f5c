import { describe, expect, it } from '@jest/globals'
import { element, Evaluations, labelsOf, preparedOf, vectorOf } from '../../support/alert-rules.js'

const MINUTE_MS = 60_000
const A = { job: 'a' }
const B = { job: 'b' }
const NONE = vectorOf([])
const present = (...jobs: readonly Readonly<Record<string, string>>[]): ReturnType<typeof vectorOf> =>
  vectorOf(jobs.map(job => element(job)))

describe('states as in Prometheus (rules/alerting.go)', () => {
  it('fires at once without for', () => {
    const run = new Evaluations(preparedOf())
    expect(run.at(0, present(A))).toEqual(['inactive>firing'])
    expect(run.at(1, NONE)).toEqual(['firing>resolved'])
  })

  it('is pending until the element was there for `for`', () => {
    const run = new Evaluations(preparedOf({ forMs: 2 * MINUTE_MS }))
    expect(run.at(0, present(A))).toEqual(['inactive>pending'])
    expect(run.at(1, present(A))).toEqual([])
    expect(run.at(2, present(A))).toEqual(['pending>firing'])
    expect([...run.state.instances.values()][0]).toMatchObject({ activeAtMs: 0, firedAtMs: 2 * MINUTE_MS })
  })

  it('forgets a pending alert whose element is gone, and begins again', () => {
    const run = new Evaluations(preparedOf({ forMs: 2 * MINUTE_MS }))
    run.at(0, present(A))
    expect(run.at(1, NONE)).toEqual(['pending>inactive'])
    expect(run.last!.removed).toHaveLength(1)
    expect(run.at(2, present(A))).toEqual(['inactive>pending'])
    expect(run.at(3, present(A))).toEqual([])
    expect(run.at(4, present(A))).toEqual(['pending>firing'])
  })

  it('counts keep_firing_for from the first evaluation without the element', () => {
    const run = new Evaluations(preparedOf({ keepFiringForMs: 2 * MINUTE_MS }))
    run.at(0, present(A))
    expect(run.at(5, NONE)).toEqual([])
    expect(run.at(6, NONE)).toEqual([])
    expect(run.at(7, NONE)).toEqual(['firing>resolved'])
  })

  it('begins keep_firing_for again when the element was back', () => {
    const run = new Evaluations(preparedOf({ keepFiringForMs: 2 * MINUTE_MS }))
    run.at(0, present(A))
    run.at(1, NONE)
    run.at(2, present(A))
    expect(run.at(3, NONE)).toEqual([])
    expect(run.at(4, NONE)).toEqual([])
    expect(run.at(5, NONE)).toEqual(['firing>resolved'])
  })

  it('is pending again when a changed `for` is longer than the alert was active', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, present(A))
    run.rule = preparedOf({ forMs: 5 * MINUTE_MS })
    expect(run.at(1, present(A))).toEqual(['firing>pending'])
    expect(run.at(5, present(A))).toEqual(['pending>firing'])
  })

  it('keeps a resolved instance for 15 minutes', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, present(A))
    run.at(1, NONE)
    run.at(16, NONE)
    expect(run.states()).toEqual({ a: 'resolved' })
    expect(run.at(17, NONE)).toEqual([])
    expect(run.last!.removed).toHaveLength(1)
    expect(run.states()).toEqual({})
  })

  it('begins a new alert when a resolved element is back', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, present(A))
    run.at(1, NONE)
    expect(run.at(2, present(A))).toEqual(['resolved>firing'])
    expect([...run.state.instances.values()][0]).toMatchObject({ activeAtMs: 2 * MINUTE_MS, resolvedAtMs: null })
  })

  it('fails for two elements with the same labels, and keeps all alerts', () => {
    const run = new Evaluations(preparedOf({ labels: labelsOf({ job: '' }) }))
    run.at(0, present(A))
    expect(run.at(1, present(A, B))).toEqual([])
    expect(run.state.error).toMatch(
      /^vector contains metrics with the same labelset after applying alert labels: \{alertname="Test"\}/
    )
    expect(run.states('alertname')).toEqual({ Test: 'firing' })
  })

  it('fails beyond the limit, and keeps all alerts', () => {
    const run = new Evaluations(preparedOf({}, { limit: 2 }))
    run.at(0, present(A, B))
    expect(run.at(1, present(A, { job: 'c' }, { job: 'd' }))).toEqual([])
    expect(run.state.error).toMatch(/^too_many_instances: the rule has 3 instances, more than its limit of 2/)
    expect(run.states()).toEqual({ a: 'firing', b: 'firing' })
    expect(run.at(2, present(A, { job: 'c' }))).toEqual(expect.arrayContaining(['firing>resolved', 'inactive>firing']))
    expect(run.state.error).toBeNull()
  })

  it('counts alerts that keep_firing_for holds for the limit', () => {
    const run = new Evaluations(preparedOf({ keepFiringForMs: MINUTE_MS }, { limit: 1 }))
    run.at(0, present(A))
    run.at(1, present(B))
    expect(run.state.error).toMatch(/^too_many_instances/)
  })

  it('limits a rule without a limit of its group to 1,000 instances', () => {
    const many = Array.from({ length: 1_001 }, (_, i) => element({ job: String(i) }))
    const run = new Evaluations(preparedOf())
    run.at(0, vectorOf(many.slice(1)))
    expect(run.state.error).toBeNull()
    run.at(1, vectorOf(many))
    expect(run.state.error).toMatch(/more than its limit of 1000/)
  })
})

describe('labels and annotations', () => {
  const labels = (run: Evaluations): unknown => [...run.state.instances.values()].map(each => each.labels)

  it('adds the labels of the rule over those of the element, without the name of the metric', () => {
    const run = new Evaluations(preparedOf({ labels: labelsOf({ job: 'rule', team: '{{ $labels.team }}-{{ $value }}' }) }))
    run.at(0, vectorOf([{ ...element({ job: 'x', team: 't' }, 7), metric: 'up' }]))
    expect(labels(run)).toEqual([labelsOf({ alertname: 'Test', job: 'rule', team: 't-7' })])
  })

  it('has the severity as a label unless the rule sets it', () => {
    const own = new Evaluations(preparedOf({ severity: 'critical' }))
    own.at(0, present(A))
    expect(labels(own)).toEqual([labelsOf({ alertname: 'Test', job: 'a', severity: 'critical' })])
    const set = new Evaluations(preparedOf({ severity: 'critical', labels: labelsOf({ severity: 'page' }) }))
    set.at(0, present(A))
    expect(labels(set)).toEqual([labelsOf({ alertname: 'Test', job: 'a', severity: 'page' })])
  })

  it('fires with the error in place of a template that fails', () => {
    const annotations = labelsOf({ bad: '{{ humanize "x" }}', unread: '{{ if }}', good: '{{ $labels.job }}' })
    const run = new Evaluations(preparedOf({ annotations }))
    expect(run.at(0, present(A))).toEqual(['inactive>firing'])
    const [instance] = [...run.state.instances.values()]
    expect(instance!.annotations).toEqual([
      { name: 'bad', value: expect.stringMatching(/^<error expanding template: error calling humanize: strconv.ParseFloat/) },
      { name: 'good', value: 'a' },
      { name: 'unread', value: expect.stringMatching(/^<error expanding template: missing value/) }
    ])
  })

  it('bounds the labels of each alert alone', () => {
    const labels = [{ name: 'big', value: '{{ printf "%1000d" 1 }}'.repeat(5) }]
    const run = new Evaluations(preparedOf({ labels }))
    run.at(0, present(A, B))
    const values = [...run.state.instances.values()].map(each => each.labels.find(({ name }) => name === 'big')!.value)
    expect(values).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/the templates exceed 8192 characters/)))
  })

  it('has the same labels at every time, whichever evaluation expanded them first', () => {
    const rule = preparedOf({ labels: labelsOf({ of: '{{ $labels.job | toUpper }}', at: '{{ $value }}' }) })
    const elements = [element(A, 1)]
    const [first] = rule.alertsOf(elements, 0)
    const [second] = rule.alertsOf([{ ...elements[0]!, value: 2 }], 60_000)
    expect([first, second].map(each => each!.labels.find(({ name }) => name === 'at')!.value)).toEqual(['1', '2'])
  })

  it('bounds the annotations of one evaluation together', () => {
    const annotations = [{ name: 'big', value: '{{ printf "%1000d" 1 }}'.repeat(60) }]
    const run = new Evaluations(preparedOf({ annotations }))
    run.at(0, vectorOf(Array.from({ length: 200 }, (_, i) => element({ job: String(i) }))))
    const errors = [...run.state.instances.values()].filter(each => each.annotations[0]!.value.startsWith('<error'))
    expect(errors.length).toBeGreaterThan(100)
    expect(errors[0]!.annotations[0]!.value).toMatch(/the templates exceed 4194304 characters/)
  })
})

describe('what changed', () => {
  it('reports instances whose value or annotations changed, and no others', () => {
    const run = new Evaluations(preparedOf({ annotations: labelsOf({ v: '{{ $value }}' }) }))
    run.at(0, vectorOf([element(A, 1), element(B, 1)]))
    expect(run.last!.changed).toHaveLength(2)
    run.at(1, vectorOf([element(A, 1), element(B, 2)]))
    expect(run.last!.changed.map(({ value }) => value)).toEqual([2])
    run.at(2, vectorOf([element(B, 2), element(A, 1)]))
    expect(run.last).toMatchObject({ changed: [], removed: [], transitions: [] })
  })

  it('does not take a NaN for a change', () => {
    const run = new Evaluations(preparedOf())
    run.at(0, vectorOf([element(A, Number.NaN)]))
    run.at(1, vectorOf([element(A, Number.NaN)]))
    expect(run.last!.changed).toEqual([])
  })

  it('orders transitions by fingerprint, whatever the order of the vector', () => {
    const jobs = ['a', 'b', 'c', 'd', 'e'].map(job => element({ job }))
    const one = new Evaluations(preparedOf())
    const other = new Evaluations(preparedOf())
    one.at(0, vectorOf(jobs))
    other.at(0, vectorOf(jobs.toReversed()))
    expect(one.last!.transitions).toEqual(other.last!.transitions)
  })
})
