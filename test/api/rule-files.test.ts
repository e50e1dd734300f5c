import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant } from '../support/tenants.js'

let service: RunningService
let mine: Tenant

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  mine = await createTenant(service, 'zqmine')
}, 240_000)
afterAll(() => service?.close())

const FILE = `groups:
  - name: hosts
    interval: 30s
    rules:
      - alert: HostDown
        expr: up == 0
        for: 5m
      - record: job:up:sum
        expr: sum by (job) (up)
`

function send(token: string, json: object, path = 'rules/import'): Promise<CheckedResponse> {
  return service.api(`/api/v1/alerts/${path}`, { method: 'POST', json, headers: { authorization: `Bearer ${token}` } })
}

async function exported(query = ''): Promise<string> {
  return (await must(service.api, `GET /api/v1/alerts/rules/export${query}`, mine.viewer)).text
}

async function rules(): Promise<readonly { readonly id: string; readonly alert?: string; readonly version: number }[]> {
  const { json } = await must(service.api, 'GET /api/v1/alerts/rules', mine.viewer)
  return json['rules'] as readonly { readonly id: string; readonly alert?: string; readonly version: number }[]
}

describe('a rule file', () => {
  it('is tried, imported, exported as it was, and changes nothing the second time', async () => {
    const created = { created: 2, changed: 0, unchanged: 0, removed: 0 }
    const tried = await send(mine.member, { file: FILE, dry_run: true })
    expect([tried.status, tried.json]).toMatchObject([200, { dry_run: true, rules: created }])
    expect(await rules()).toEqual([])
    expect((await send(mine.member, { file: FILE })).json).toEqual({
      dry_run: false,
      rules: created,
      groups: [
        {
          ...{ name: 'hosts', change: 'created' },
          rules: [
            { kind: 'alert', name: 'HostDown', change: 'created' },
            { kind: 'record', name: 'job:up:sum', change: 'created' }
          ]
        }
      ]
    })
    const file = await exported()
    expect(file).toBe(FILE)
    expect((await send(mine.member, { file })).json['rules']).toEqual({ ...created, created: 0, unchanged: 2 })
  })

  it('changes and removes rules of its groups, and leaves other groups alone', async () => {
    const before = (await rules()).find(({ alert }) => alert === 'HostDown')!
    await must(service.api, 'POST /api/v1/alerts/rules', mine.member, { alert: 'Other', expr: 'vector(0) > 1' })
    const file = 'groups: [{ name: hosts, interval: 30s, rules: [{ alert: HostDown, expr: up == 0, for: 10m }] }]'
    expect((await send(mine.member, { file })).json).toMatchObject({
      rules: { created: 0, changed: 1, unchanged: 0, removed: 1 }
    })
    const after = await rules()
    expect(after).toMatchObject([
      { alert: 'Other' },
      { alert: 'HostDown', id: before.id, version: before.version + 1, for: '10m' }
    ])
    expect(await exported('?group=hosts')).not.toContain('Other')
    const absent = await service.api('/api/v1/alerts/rules/export?group=none', {
      headers: { authorization: `Bearer ${mine.viewer}` }
    })
    expect([absent.status, absent.json['code']]).toEqual([404, 'not_found'])
  })

  it('is refused as a whole with all of its errors, beyond bounds, and from viewers', async () => {
    const wrong = 'groups:\n- name: a\n  rules:\n  - alert: A\n    expr: "up ="\n- name: a\n  rules: [{ record: b }]'
    const refused = await send(mine.member, { file: wrong })
    expect([refused.status, refused.json['code']]).toEqual([400, 'invalid_field'])
    expect(refused.json['errors']).toMatchObject([
      { field: 'file', detail: expect.stringMatching(/^4:5: group "a", rule 1, "A": could not parse expression/) },
      { detail: expect.stringContaining("field 'expr' must be set in rule") },
      { detail: expect.stringContaining('groupname: "a" is repeated') }
    ])
    const hasty = await send(mine.member, { file: 'groups: [{ name: b, interval: 1s, rules: [] }]' })
    expect(hasty.json).toMatchObject({ code: 'invalid_field', detail: expect.stringContaining('group "b": interval must be') })
    const many = Array.from({ length: 501 }, (_, at) => `{ alert: A${at}, expr: up }`).join(', ')
    expect((await send(mine.member, { file: `groups: [{ name: c, rules: [${many}] }]` })).json['code']).toBe('quota_exceeded')
    expect((await send(mine.viewer, { file: FILE })).json['code']).toBe('role_required')
    expect((await rules()).map(({ alert }) => alert)).toEqual(['Other', 'HostDown'])
  })

  it('is tested without being stored, by viewers and keys', async () => {
    const tests = (count: number): string => `
rule_files: [hosts.yml]
tests:
- input_series: [{ series: 'up{host="a"}', values: '0x10' }]
  alert_rule_test: [{ alertname: HostDown, eval_time: ${count}m, exp_alerts: [{ exp_labels: { host: a } }] }]
`
    const files = { 'hosts.yml': FILE }
    expect((await send(mine.viewer, { tests: tests(5), files }, 'test')).json).toEqual({
      ...{ ok: true, tests: 1, failures: [], omitted_failures: 0, errors: [] }
    })
    expect((await send(mine.viewer, { tests: tests(4), files }, 'test')).json).toMatchObject({
      ok: false,
      failures: [expect.stringContaining('alertname: HostDown, time: 4m')]
    })
    expect((await send(mine.viewer, { tests: tests(5) }, 'test')).json).toMatchObject({ ok: false, errors: [{ file: null }] })
  })
})
