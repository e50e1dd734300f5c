import type { Findings } from '../../shared/finding.js'
import { writeAlias } from '../index/index-names.js'
import type { Answer, Ask } from './ask.js'
import { at, reasonOf } from './ask.js'

const SUBJECT = 'rights'
const ID = 'doctor'

interface Step {
  /** Continues "the user cannot". */
  readonly right: string
  readonly privilege: string
  readonly run: () => Promise<Answer>
  readonly isDone: (answer: Answer) => boolean
}

function isOk({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

function bulkStatus(answer: Answer, action: 'create' | 'delete'): unknown {
  return at(answer.body, 'items', '0', action, 'status')
}

function steps(ask: Ask, index: string): readonly Step[] {
  // By the alias, as the service writes.
  const alias = writeAlias(index)
  const create = `${JSON.stringify({ create: { _index: alias, _id: ID } })}\n{"message":"doctor"}\n`
  const remove = `${JSON.stringify({ delete: { _index: alias, _id: ID } })}\n`
  return [
    {
      right: 'make indices',
      privilege: 'manage',
      run: () => ask('PUT', `/${index}`, { aliases: { [alias]: {} } }),
      isDone: isOk
    },
    {
      right: 'write documents',
      privilege: 'create_doc',
      run: () => ask('POST', '/_bulk?require_alias=true', create),
      isDone: answer => bulkStatus(answer, 'create') === 201
    },
    { right: 'refresh indices', privilege: 'manage', run: () => ask('POST', `/${index}/_refresh`), isDone: isOk },
    {
      right: 'read documents',
      privilege: 'read',
      run: () => ask('POST', `/${index}/_search`, { query: { match_all: {} } }),
      isDone: answer => at(answer.body, 'hits', 'hits', '0', '_id') === ID
    },
    {
      right: 'delete documents',
      privilege: 'delete',
      run: () => ask('POST', '/_bulk?require_alias=true', remove),
      isDone: answer => bulkStatus(answer, 'delete') === 200
    }
  ]
}

interface Missing {
  readonly step: Step
  readonly answer: Answer
  /** Whether there is an index to delete. */
  readonly isMade: boolean
}

async function firstMissing(all: readonly Step[]): Promise<Missing | null> {
  for (const [i, step] of all.entries()) {
    const answer = await step.run()
    if (!step.isDone(answer)) return { step, answer, isMade: i > 0 }
  }
  return null
}

function remedyOf(privilege: string): string {
  return `grant the role the index privilege ${privilege} on the indices of the service; the whole role stands in docs/stores.md`
}

/**
 * Makes an index of its own that begins like those of the service, writes, reads and deletes a document in it, and deletes
 * it. Names the first right that is missing.
 */
export async function examineRights(ask: Ask, findings: Findings, index: string): Promise<void> {
  const missing = await firstMissing(steps(ask, index))
  if (missing) {
    const { right, privilege } = missing.step
    findings.bad(SUBJECT, `the user cannot ${right}: ${reasonOf(missing.answer)}`, remedyOf(privilege))
    if (!missing.isMade) return
  }
  const dropped = await ask('DELETE', `/${index}`)
  if (!isOk(dropped))
    findings.bad(SUBJECT, `the user cannot delete indices (${index} stays): ${reasonOf(dropped)}`, remedyOf('manage'))
  else if (!missing) findings.good(SUBJECT, 'indices can be made, written, read and deleted')
}
