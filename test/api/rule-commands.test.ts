import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openTempFolder } from '../support/temp-folder.js'

const RULES = fileURLToPath(new URL('../../dist/bin/rules.js', import.meta.url))
let folder: Awaited<ReturnType<typeof openTempFolder>>

function run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [RULES, ...args], { cwd: folder.path }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

const test = (expected: string): string => `
rule_files: [rules/*.yml]
tests:
- input_series: [{series: up, values: '0 0'}]
  alert_rule_test: [{eval_time: 1m, alertname: Down, exp_alerts: ${expected}}]`

beforeAll(async () => {
  folder = await openTempFolder()
  await mkdir(join(folder.path, 'rules'))
  await writeFile(join(folder.path, 'rules', 'good.yml'), 'groups: [{name: g, rules: [{alert: Down, expr: up == 0}]}]')
  await writeFile(join(folder.path, 'bad.yml'), 'groups:\n- name: g\n  rules:\n  - {alert: Down, expr: "up{"}')
  await writeFile(join(folder.path, 'good-test.yml'), test('[{}]'))
  await writeFile(join(folder.path, 'bad-test.yml'), test('[]'))
})
afterAll(() => folder.remove())

describe('commands for rules', () => {
  it('check rule files', async () => {
    expect(await run('check', 'rules/good.yml')).toMatchObject({
      code: 0,
      stdout: 'Checking rules/good.yml\n  SUCCESS: 1 rules found\n\n'
    })
    const bad = await run('check', 'rules/good.yml', 'bad.yml')
    expect(bad.code).toBe(1)
    expect(bad.stdout).toContain('bad.yml: 4:5: group "g", rule 1, "Down": could not parse expression: ')
  })

  it('run unit tests, with paths relative to the test file', async () => {
    expect(await run('test', 'good-test.yml')).toMatchObject({ code: 0, stdout: 'Unit Testing:  good-test.yml\n  SUCCESS\n\n' })
    const bad = await run('test', 'bad-test.yml', 'good-test.yml')
    expect(bad.code).toBe(1)
    expect(bad.stdout).toContain('  FAILED:\n    alertname: Down, time: 1m,\n        exp:[],')
    expect(bad.stdout).toContain('Unit Testing:  good-test.yml\n  SUCCESS')
  })

  it('report files that cannot be read, and how they are used', async () => {
    expect(await run('test', 'nothing.yml')).toMatchObject({ code: 1, stdout: expect.stringContaining('ENOENT') })
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: npm run rules') })
    expect(await run('test')).toMatchObject({ code: 2 })
  })
})
