import type { Findings } from '../../finding.js'
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
  const create = `${JSON.stringify({ create: { _index: index, _id: ID } })}\n{"message":"doctor"}\n`
  const remove = `${JSON.stringify({ delete: { _index: index, _id: ID } })}\n`
  return [
    { right: 'make indices', privilege: 'create_index', run: () => ask('PUT', `/${index}`, {}), isDone: isOk },
    {
      right: 'write documents',
      privilege: 'create_doc',
      run: () => ask('POST', '/_bulk', create),
      isDone: answer => bulkStatus(answer, 'create') === 201
    },
    { right: 'refresh indices', privilege: 'maintenance', run: () => ask('POST', `/${index}/_refresh`), isDone: isOk },
    {
      right: 'read documents',
      privilege: 'read',
      run: () => ask('POST', `/${index}/_search`, { query: { match_all: {} } }),
      isDone: answer => at(answer.body, 'hits', 'hits', '0', '_id') === ID
    },
    {
      right: 'delete documents',
      privilege: 'delete',
      run: () => ask('POST', '/_bulk', remove),
      isDone: answer => bulkStatus(answer, 'delete') === 200
    }
  ]
}

/**
 * Makes an index of its own that begins like those of the service, writes, reads and deletes a document in it, and deletes
 * it. Names the first right that is missing.
 */
export async function examineRights(ask: Ask, findings: Findings, index: string): Promise<void> {
  const remedy = (privilege: string): string =>
    `grant the role the index privilege ${privilege} on the indices of the service; the whole role stands in docs/stores.md`
  let isMade = false
  try {
    for (const { right, privilege, run, isDone } of steps(ask, index)) {
      const answer = await run()
      if (!isDone(answer)) return findings.bad(SUBJECT, `the user cannot ${right}: ${reasonOf(answer)}`, remedy(privilege))
      isMade = true
    }
  } finally {
    const dropped = isMade ? await ask('DELETE', `/${index}`) : null
    if (dropped && !isOk(dropped))
      findings.bad(SUBJECT, `the user cannot delete indices (${index} stays): ${reasonOf(dropped)}`, remedy('delete_index'))
    else if (dropped) findings.good(SUBJECT, 'indices can be made, written, read and deleted')
  }
}
