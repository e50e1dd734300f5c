import { describe, expect, it } from '@jest/globals'
import type { EngineResponse, SendRequest } from '../../../src/stores/elasticsearch/examine/send-request.js'
import { examineRights } from '../../../src/stores/elasticsearch/examine/examine-rights.js'
import { Findings } from '../../../src/stores/shared/finding.js'

const INDEX = 'logs-alidade.app-doctor01-000001'
const REFUSED = { error: { type: 'security_exception', reason: 'action is unauthorized' }, status: 403 }
const OK: EngineResponse = { status: 200, body: {} }
const FOUND: EngineResponse = { status: 200, body: { hits: { hits: [{ _id: 'doctor' }] } } }

function bulk(action: string, status: number): EngineResponse {
  const error = status === 403 ? { error: REFUSED.error } : {}
  return { status: 200, body: { items: [{ [action]: { status, ...error } }] } }
}

/** Responds as Elasticsearch does to a user who lacks one right; notes what was requested. */
function cluster(lacks: string | null, requested: string[]): SendRequest {
  return async (method, path, body) => {
    const action = typeof body === 'string' ? Object.keys(JSON.parse(body.split('\n', 1)[0]!) as object)[0]! : ''
    const call = `${method} ${path.split('?', 1)[0]!.split('/').at(-1)!}${action === '' ? '' : ` ${action}`}`
    requested.push(call)
    if (action !== '') return bulk(action, call === lacks ? 403 : action === 'create' ? 201 : 200)
    if (call === lacks) return { status: 403, body: REFUSED }
    return call === 'POST _search' ? FOUND : OK
  }
}

async function examine(
  lacks: string | null
): Promise<{ readonly strings: readonly string[]; readonly requests: readonly string[] }> {
  const findings = new Findings('elasticsearch')
  const requested: string[] = []
  await examineRights(cluster(lacks, requested), findings, INDEX)
  return { strings: findings.list.map(({ state, text }) => `${state}: ${text}`), requests: requested }
}

describe('the rights of a user', () => {
  it('are good when every step succeeds, and the scratch index is deleted', async () => {
    const { strings, requests: requested } = await examine(null)
    expect(strings).toEqual(['good: indices can be created, written, read and deleted'])
    expect(requested.at(-1)).toBe(`DELETE ${INDEX}`)
  })

  it.each([
    [`PUT ${INDEX}`, 'create indices', false],
    ['POST _bulk create', 'write documents', true],
    ['POST _refresh', 'refresh indices', true],
    ['POST _search', 'read documents', true],
    ['POST _bulk delete', 'delete documents', true]
  ])('lack %s: that is named, and nothing is left behind', async (lacks, right, isMade) => {
    const { strings, requests: requested } = await examine(lacks)
    expect(strings[0]).toMatch(new RegExp(`^bad: the user cannot ${right}: `))
    expect(strings.some(text => text.startsWith('good'))).toBe(false)
    expect(requested.includes(`DELETE ${INDEX}`)).toBe(isMade)
  })

  it('lack the deletion of indices: the one that stays is named', async () => {
    expect((await examine(`DELETE ${INDEX}`)).strings).toEqual([
      `bad: the user cannot delete indices (${INDEX} stays): action is unauthorized`
    ])
  })
})
