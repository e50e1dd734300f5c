import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { readRuleFile } from '../../src/alerting/rule-files/read-rule-file.js'
import { FIRST_RULE_STATE } from '../../src/domain/alerts/alert-state.js'
import { evaluate } from '../../src/alerting/evaluate/evaluate.js'
import { element, preparedOf, readPromql, vectorOf } from '../support/alert-rules.js'

// Alerts and rule files against promtool: `npm run differential:alerts [-- <rules> <files>]`. Requires promtool in the path.

const run = promisify(execFile)
const MINUTE_MS = 60_000
const STEPS = 40
const FILES_AT_ONCE = 50

interface Case {
  readonly forMinutes: number
  readonly keepMinutes: number
  /** Of each series whether it is there, minute by minute. */
  readonly there: readonly (readonly boolean[])[]
}

const minutes = fc.constantFrom(0, 1, 2, 3, 5, 10, 15)
/** Runs of some minutes, so that `for` has something to wait for. */
const presence = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 9 })), { minLength: 4, maxLength: 12 })
  .map(runs => runs.flatMap(([is, count]) => Array.from({ length: count }, () => is)).slice(0, STEPS))
const cases: fc.Arbitrary<Case> = fc.record({
  forMinutes: minutes,
  keepMinutes: minutes,
  there: fc.array(presence, { minLength: 1, maxLength: 3 })
})

/** A test of promtool that expects, at each minute, the alerts that fire here. */
function testOf({ forMinutes, keepMinutes, there }: Case, ruleFile: string): { readonly rules: string; readonly test: string } {
  const rule = preparedOf({ forMs: forMinutes * MINUTE_MS, keepFiringForMs: keepMinutes * MINUTE_MS })
  let state = FIRST_RULE_STATE
  const tests = Array.from({ length: STEPS }, (_, minute) => {
    const elements = there.flatMap((is, i) => (is[minute] === true ? [element({ series: `s${i}` }, 1)] : []))
    state = evaluate(rule, state, vectorOf(elements), minute * MINUTE_MS).state
    const firing = [...state.instances.values()].filter(each => each.state === 'firing')
    const expected = firing.map(({ labels }) => ({
      exp_labels: Object.fromEntries(labels.filter(({ name }) => name === 'series').map(({ name, value }) => [name, value]))
    }))
    return { eval_time: `${minute}m`, alertname: 'Test', exp_alerts: expected }
  })
  const series = there.map((is, i) => ({
    series: `x{series="s${i}"}`,
    values: Array.from({ length: STEPS }, (_, m) => (is[m] === true ? '1' : '0')).join(' ')
  }))
  const alert = { alert: 'Test', expr: 'x > 0', for: `${forMinutes}m`, keep_firing_for: `${keepMinutes}m` }
  return {
    rules: stringify({ groups: [{ name: 'g', rules: [alert] }] }),
    test: stringify({ rule_files: [ruleFile], tests: [{ interval: '1m', input_series: series, alert_rule_test: tests }] })
  }
}

/** Whether promtool succeeds, and what it prints. */
async function promtool(...args: readonly string[]): Promise<{ readonly isGood: boolean; readonly output: string }> {
  try {
    const { stdout, stderr } = await run('promtool', args, { maxBuffer: 64 * 1024 * 1024 })
    return { isGood: true, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { readonly code: unknown; readonly stdout: string; readonly stderr: string }
    if (typeof code !== 'number') throw error
    return { isGood: false, output: stdout + stderr }
  }
}

/** Random rules whose alerts promtool sees otherwise. */
async function compareAlerts(folder: string, count: number): Promise<number> {
  let different = 0
  const all = fc.sample(cases, count)
  for (let from = 0; from < all.length; from += FILES_AT_ONCE) {
    const files: string[] = []
    for (const [i, one] of all.slice(from, from + FILES_AT_ONCE).entries()) {
      const { rules, test } = testOf(one, `rules-${i}.yml`)
      await writeFile(join(folder, `rules-${i}.yml`), rules)
      await writeFile(join(folder, `test-${i}.yml`), test)
      files.push(join(folder, `test-${i}.yml`))
    }
    const { isGood, output } = await promtool('test', 'rules', ...files)
    if (isGood) continue
    different++
    process.stdout.write(`${output.slice(0, 4_000)}\n`)
  }
  return different
}

const GOOD = `groups:
  - name: one
    interval: 30s
    limit: 5
    rules:
      - alert: High
        expr: sum by (job) (rate(x[5m])) > 0.5
        for: 5m
        keep_firing_for: 10m
        labels:
          severity: page
        annotations:
          summary: "{{ $labels.job }} at {{ $value | humanize }}"
  - name: two
    rules:
      - record: job:x:sum
        expr: sum by (job) (x)
        labels:
          kind: sum
`
const WORDS = [
  ...[
    'alert',
    'record',
    'expr',
    'for',
    'keep_firing_for',
    'labels',
    'annotations',
    'groups',
    'name',
    'rules',
    'interval',
    'limit'
  ],
  ...['one', 'two', '5m', '0', '1e3', '-1', '"', "'", '{', '}', '[', ']', ':', '-', '#', '~', 'null', 'true', 'up{', 'x'],
  ...['"{{ end }}"', '"{{ $x }}"', '__name__', '&a', '*a', '<<', 'sum(x', '1y', '1m30', '!!str', '  ', '\n']
]
const TOKEN = /[A-Za-z_0-9.]+|[^\sA-Za-z_0-9.]|\n/g

/** A rule file with some of its words replaced, removed or repeated. */
const damaged = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'repeat', 'insert'), fc.constantFrom(...WORDS)), {
    minLength: 1,
    maxLength: 3
  })
  .map(edits => {
    let text = GOOD
    for (const [seed, how, word] of edits) {
      const tokens = [...text.matchAll(TOKEN)]
      const { index, 0: token } = tokens[seed % tokens.length]!
      const put = { replace: word, remove: '', repeat: `${token} ${token}`, insert: `${word} ${token}` }[how as 'remove']
      text = text.slice(0, index) + put + text.slice(index + token.length)
    }
    return text
  })

/** Damaged rule files of which promtool has another opinion. */
async function compareVerdicts(folder: string, count: number): Promise<number> {
  let different = 0
  for (const text of fc.sample(damaged, count)) {
    const path = join(folder, 'check.yml')
    await writeFile(path, text)
    const [{ isGood, output }, { errors }] = [await promtool('check', 'rules', path), readRuleFile(text, readPromql)]
    // Prometheus 2 has names of ASCII alone.
    if (isGood === (errors.length === 0) || /invalid (?:label|annotation|recording rule) name/.test(output)) continue
    different++
    process.stdout.write(`--- promtool ${isGood ? 'accepts' : 'refuses'}\n${text}\n${output}\n${JSON.stringify(errors)}\n`)
  }
  return different
}

const [rules = 1_000, files = 500] = process.argv.slice(2).map(Number)
const folder = await mkdtemp(join(tmpdir(), 'alidade-alerts-'))
try {
  const alerts = await compareAlerts(folder, rules)
  const verdicts = await compareVerdicts(folder, files)
  process.stdout.write(`${rules} rules, different runs of promtool: ${alerts}; ${files} files, different verdicts: ${verdicts}\n`)
  process.exitCode = alerts + verdicts > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true })
}
