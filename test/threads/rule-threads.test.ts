import { afterAll, describe, expect, it } from '@jest/globals'
import { MAX_FAILURES } from '../../src/alerting/rule-work/rule-job.js'
import { RuleThreads } from '../../src/alerting/rule-work/rule-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import { systemTimers } from '../../src/threads/system-timers.js'
import { namespaceId } from '../contract/control-fixtures.js'

const NEVER = new AbortController().signal
const [SHOP, BANK, MILL] = ['shop', 'bank', 'mill'].map(namespaceId) as [
  ReturnType<typeof namespaceId>,
  ReturnType<typeof namespaceId>,
  ReturnType<typeof namespaceId>
]

function open(timeoutMs?: number): RuleThreads {
  const more = timeoutMs === undefined ? {} : { timeoutMs }
  return new RuleThreads({ settings: DEFAULT_QUERY_SETTINGS, timers: systemTimers, ...more })
}

const threads = open()
afterAll(() => threads.close())

const read = (text: string) => ({ kind: 'read', text }) as const
const RULES = 'groups: [{ name: g, rules: [{ alert: Down, expr: up == 0 }] }]'
const test = (tests: string, files: Readonly<Record<string, string>> = { 'r.yml': RULES }) =>
  ({ kind: 'test', tests, files: new Map(Object.entries(files)) }) as const

/** Evaluations that take longer than any test waits. */
const ENDLESS = test(
  [
    'rule_files: [r.yml]',
    'evaluation_interval: 1s',
    'tests:',
    '- interval: 1s',
    '  input_series: [{ series: up, values: 1x90000 }]',
    '  alert_rule_test: [{ alertname: Down, eval_time: 25h }]'
  ].join('\n'),
  { 'r.yml': 'groups: [{ name: g, rules: [{ alert: Down, expr: "sum(avg_over_time(up[1d:1s])) == 0" }] }]' }
)

describe('threads of rule files', () => {
  it('read a file, with its errors', async () => {
    expect(await threads.run(SHOP, read(RULES), NEVER)).toMatchObject({
      errors: [],
      groups: [{ name: 'g', rules: [{ name: 'Down' }] }]
    })
    const { errors } = await threads.run(SHOP, read('groups: [{ name: g, rules: [{ alert: Down, expr: "up =" }] }]'), NEVER)
    expect(errors).toHaveLength(1)
  })

  it('run tests, and report failures and files that are missing or wrong', async () => {
    const at = (exp: string): string =>
      ['rule_files: [r.yml]', 'tests:', '- input_series: [{ series: up, values: "0" }]', `  alert_rule_test: [${exp}]`].join('\n')
    const fires = '{ alertname: Down, eval_time: 0, exp_alerts: [{ exp_labels: {} }] }'
    expect(await threads.run(SHOP, test(at(fires)), NEVER)).toEqual({ tests: 1, errors: [], failures: [], omittedFailures: 0 })
    const { failures } = await threads.run(SHOP, test(at('{ alertname: Down, eval_time: 0 }')), NEVER)
    expect(failures).toEqual([expect.stringContaining('alertname: Down, time: 0s')])
    const many = Array.from({ length: MAX_FAILURES + 5 }, () => '{ alertname: Down, eval_time: 0 }').join(', ')
    const cut = await threads.run(SHOP, test(at(many)), NEVER)
    expect([cut.failures.length, cut.omittedFailures]).toEqual([MAX_FAILURES, 5])
    const missing = await threads.run(SHOP, test(at(fires), { 'other.yml': RULES }), NEVER)
    expect(missing).toMatchObject({ failures: [], errors: [{ file: null, message: expect.stringContaining('"r.yml"') }] })
    const wrong = await threads.run(SHOP, test(at(fires), { 'r.yml': 'groups: [{ rules: [] }]' }), NEVER)
    expect(wrong.errors).toMatchObject([{ file: 'r.yml', message: 'Groupname must not be empty' }])
  })

  it('take one job of a namespace and two in all, and end them with their caller', async () => {
    const [mine, theirs] = [new AbortController(), new AbortController()]
    const running = [threads.run(SHOP, ENDLESS, mine.signal), threads.run(BANK, ENDLESS, theirs.signal)]
    const ended = Promise.allSettled(running)
    await expect(threads.run(SHOP, read(RULES), NEVER)).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(threads.run(MILL, read(RULES), NEVER)).rejects.toMatchObject({ code: 'overloaded' })
    mine.abort(new Error('left'))
    theirs.abort(new Error('left'))
    expect((await ended).map(each => each.status === 'rejected' && String(each.reason))).toEqual(['Error: left', 'Error: left'])
    expect(await threads.run(SHOP, read(RULES), NEVER)).toMatchObject({ errors: [] })
  })

  it('are ended at their time limit, and when the service stops', async () => {
    const short = open(500)
    await expect(short.run(SHOP, ENDLESS, NEVER)).rejects.toMatchObject({ code: 'query_timeout' })
    const stopped = threads.run(SHOP, ENDLESS, NEVER)
    const refused = expect(stopped).rejects.toMatchObject({ code: 'overloaded' })
    await threads.close()
    await refused
    await expect(threads.run(SHOP, read(RULES), NEVER)).rejects.toMatchObject({ code: 'overloaded' })
  })
})
