import type { Findings } from '../../shared/finding.js'
import { writeAlias } from '../index/index-names.js'
import type { EngineResponse, SendRequest } from './send-request.js'
import { at, refusalReason } from './send-request.js'

const SUBJECT = 'rights'
const ID = 'doctor'

interface Step {
  /** Continues "the user cannot". */
  readonly right: string
  readonly privilege: string
  readonly run: () => Promise<EngineResponse>
  readonly isDone: (response: EngineResponse) => boolean
}

function isOk({ status }: EngineResponse): boolean {
  return status >= 200 && status < 300
}

function bulkStatus(response: EngineResponse, action: 'create' | 'delete'): unknown {
  return at(response.body, 'items', '0', action, 'status')
}

function steps(send: SendRequest, index: string): readonly Step[] {
  // By the alias, as the service writes.
  const alias = writeAlias(index)
  const create = `${JSON.stringify({ create: { _index: alias, _id: ID } })}\n{"message":"doctor"}\n`
  const remove = `${JSON.stringify({ delete: { _index: alias, _id: ID } })}\n`
  return [
    {
      right: 'create indices',
      privilege: 'manage',
      run: () => send('PUT', `/${index}`, { aliases: { [alias]: {} } }),
      isDone: isOk
    },
    {
      right: 'write documents',
      privilege: 'create_doc',
      run: () => send('POST', '/_bulk?require_alias=true', create),
      isDone: response => bulkStatus(response, 'create') === 201
    },
    { right: 'refresh indices', privilege: 'manage', run: () => send('POST', `/${index}/_refresh`), isDone: isOk },
    {
      right: 'read documents',
      privilege: 'read',
      run: () => send('POST', `/${index}/_search`, { query: { match_all: {} } }),
      isDone: response => at(response.body, 'hits', 'hits', '0', '_id') === ID
    },
    {
      right: 'delete documents',
      privilege: 'delete',
      run: () => send('POST', '/_bulk?require_alias=true', remove),
      isDone: response => bulkStatus(response, 'delete') === 200
    }
  ]
}

interface Missing {
  readonly step: Step
  readonly response: EngineResponse
  /** Whether there is an index to delete. */
  readonly isMade: boolean
}

async function firstMissing(all: readonly Step[]): Promise<Missing | null> {
  for (const [i, step] of all.entries()) {
    const response = await step.run()
    if (!step.isDone(response)) return { step, response, isMade: i > 0 }
  }
  return null
}

function remedyOf(privilege: string): string {
  return `grant the role the index privilege ${privilege} on the indices of the service; docs/stores.md has the whole role`
}

/**
 * Makes an index of its own that begins like those of the service, writes, reads and deletes a document in it, and deletes
 * it. Names the first right that is missing.
 */
export async function examineRights(send: SendRequest, findings: Findings, index: string): Promise<void> {
  const missing = await firstMissing(steps(send, index))
  if (missing) {
    const { right, privilege } = missing.step
    findings.bad(SUBJECT, `the user cannot ${right}: ${refusalReason(missing.response)}`, remedyOf(privilege))
    if (!missing.isMade) return
  }
  const dropped = await send('DELETE', `/${index}`)
  if (!isOk(dropped))
    findings.bad(SUBJECT, `the user cannot delete indices (${index} stays): ${refusalReason(dropped)}`, remedyOf('manage'))
  else if (!missing) findings.good(SUBJECT, 'indices can be created, written, read and deleted')
}
