import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant, textOf } from '../support/tenants.js'

let service: RunningService
let mine: Tenant
let theirs: Tenant
let groupId: string

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS })
  mine = await createTenant(service, 'zqmine')
  theirs = await createTenant(service, 'zqtheirs')
  groupId = textOf(await must(service.api, 'POST /api/v1/alerts/groups', mine.member, { name: 'fast', interval: '10s' }), 'id')
}, 240_000)
afterAll(() => service?.close())

async function create(rule: object): Promise<{ readonly id: string }> {
  const made = await must(service.api, 'POST /api/v1/alerts/rules', mine.member, { group_id: groupId, ...rule })
  return { id: textOf(made, 'id') }
}

async function graphql<Data>(token: string, query: string, variables: object = {}): Promise<Data> {
  const { data, text } = await postGraphql<Data>(service.url, { query, variables }, { authorization: `Bearer ${token}` })
  if (data === undefined || data === null) throw new Error(text)
  return data
}

describe('alert rules', () => {
  const SAVE = `mutation ($input: AlertRuleInput!) { createAlertRule(input: $input) {
    alertRule { id version group { name } labels { name value } } userErrors { code field message } } }`

  it('are changed by the version that was read, and keep all versions', async () => {
    const { id } = await create({ alert: 'Versions', expr: 'vector(0) > 1' })
    const change = (version: number, name: string) =>
      service.api(`/api/v1/alerts/rules/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${mine.member}` },
        json: { alert: name, expr: 'vector(0) > 1', version }
      })
    expect((await change(1, 'Second')).json).toMatchObject({ version: 2, alert: 'Second' })
    const stale = await change(1, 'Third')
    expect([stale.status, stale.json['code']]).toEqual([409, 'conflict'])
    const { versions } = (await must(service.api, `GET /api/v1/alerts/rules/${id}/versions`, mine.viewer)).json as {
      versions: readonly object[]
    }
    expect(versions).toMatchObject([
      { version: 2, alert: 'Second' },
      { version: 1, alert: 'Versions' }
    ])
  })

  it('are written by members, read by viewers and keys, and are those of one namespace', async () => {
    const body = { alert: 'Secret', expr: 'vector(1) > 2' }
    const refused = await service.api('/api/v1/alerts/rules', {
      ...{ method: 'POST', json: body, headers: { authorization: `Bearer ${mine.viewer}` } }
    })
    expect([refused.status, refused.json['code']]).toEqual([403, 'role_required'])
    const byKey = await service.api('/api/v1/alerts/rules', {
      ...{ method: 'POST', json: body, headers: { 'x-api-key': mine.queryKey } }
    })
    expect([byKey.status, byKey.json['code']]).toEqual([403, 'scope_required'])
    const { id } = await create(body)
    const names = async (token: string): Promise<string> => (await must(service.api, 'GET /api/v1/alerts/rules', token)).text
    expect(await names(mine.queryKey)).toContain('Secret')
    expect(await names(theirs.admin)).not.toContain('Secret')
    for (const method of ['GET', 'DELETE']) {
      const other = await service.api(`/api/v1/alerts/rules/${id}`, {
        method,
        headers: { authorization: `Bearer ${theirs.admin}` }
      })
      expect(other.status).toBe(404)
    }
    const moved = await service.api('/api/v1/alerts/rules', {
      ...{ method: 'POST', json: { ...body, group_id: groupId }, headers: { authorization: `Bearer ${theirs.admin}` } }
    })
    expect([moved.status, moved.json['code']]).toEqual([404, 'not_found'])
  })

  it('report all errors of a rule together, and join the group default without another one', async () => {
    const faulty = await service.api('/api/v1/alerts/rules', {
      ...{ method: 'POST', headers: { authorization: `Bearer ${mine.member}` } },
      json: { alert: '', expr: 'sum(', for: '-1m' }
    })
    expect(faulty.status).toBe(400)
    expect((faulty.json['errors'] as readonly { field: string }[]).map(({ field }) => field).toSorted()).toEqual([
      'alert',
      'expr',
      'for'
    ])
    const { createAlertRule: made } = await graphql<{ createAlertRule: { readonly alertRule: object } }>(mine.member, SAVE, {
      input: { alert: 'Grouped', expr: 'up == 0', for: '5m', labels: [{ name: 'team', value: 'x' }] }
    })
    expect(made.alertRule).toMatchObject({ version: 1, group: { name: 'default' }, labels: [{ name: 'team', value: 'x' }] })
    const twice = await graphql<{ createAlertRule: { readonly userErrors: readonly object[] } }>(mine.member, SAVE, {
      input: {
        ...{ alert: 'Twice', expr: 'up' },
        labels: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' }
        ]
      }
    })
    expect(twice.createAlertRule.userErrors).toMatchObject([{ code: 'INVALID', field: ['labels'] }])
  })

  it('are in the audit log', async () => {
    const { id } = await create({ alert: 'Audited', expr: 'vector(0) > 1' })
    await must(service.api, `DELETE /api/v1/alerts/rules/${id}`, mine.member)
    const { text } = await must(service.api, `GET /api/v1/namespaces/${mine.namespaceId}/audit`, mine.admin)
    for (const action of ['alert_group.saved', 'alert_rule.saved', 'alert_rule.deleted']) expect(text).toContain(action)
  })
})
