import { describe, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../../src/domain/filter.js'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { ALL_TIME } from '../../../src/domain/time-range.js'
import { PatternMiner } from '../../../src/ingest/patterns/pattern-miner.js'
import { readVariables, variablesOf } from '../../../src/query/patterns/pattern-variables.js'

/** The variable parts of the last pattern that these messages have. */
function ofMessages(messages: readonly string[], limit = 5) {
  const miner = new PatternMiner({ limit: 100, seed: 1 })
  for (const message of messages) miner.idOf(message)
  const { added } = miner.drain()
  const id = miner.idOf(messages[0]!)
  return variablesOf(
    added.find(pattern => pattern.id === id)!,
    messages,
    limit
  )
}

describe('the variable parts of a pattern', () => {
  it('have their kinds, their most frequent values and the number of different ones', () => {
    const messages = Array.from({ length: 30 }, (_, i) => `peer 10.0.0.${i % 3 === 0 ? 1 : 2} sent ${i} bytes`)
    const { variables, logs } = ofMessages(messages, 2)
    expect(logs).toBe(30)
    expect(variables).toEqual([
      {
        ...{ name: '$1', kind: 'ip', distinct: 2 },
        values: [
          { value: '10.0.0.2', count: 20 },
          { value: '10.0.0.1', count: 10 }
        ]
      },
      { name: '$2', kind: 'num', distinct: 30, values: [{ value: '0', count: 1 }, expect.objectContaining({ count: 1 })] }
    ])
  })

  it('are named by their keys', () => {
    const { variables } = ofMessages(['user=ada took=12ms from 10.0.0.1', 'user=bob took=9ms from 10.0.0.2'])
    expect(variables.map(({ name }) => name)).toEqual(['user', 'took', '$3'])
    expect(variables[0]!.values.map(({ value }) => value)).toEqual(['ada', 'bob'])
  })

  it('are words where words were found to vary, in logs of every template that became the pattern', () => {
    const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay']
    const { variables, logs } = ofMessages(names.map(name => `user ${name} logged in`))
    expect(logs).toBe(names.length)
    expect(variables).toMatchObject([{ name: '$1', distinct: names.length }])
  })

  it('are not read from messages of another pattern, and cut when they are long', () => {
    const pattern = { id: 'x', tokens: ['sent', ' ', '\u0001'], kinds: [0] }
    const { variables, logs } = variablesOf(pattern, ['sent 5', 'received 5', 'sent 5 bytes', `sent /${'x'.repeat(400)}`, ''], 5)
    expect(logs).toBe(2)
    expect(variables[0]!.values.map(({ value }) => value.length)).toEqual([256, 1])
  })

  it('state what the store could not read', async () => {
    const miner = new PatternMiner({ limit: 100, seed: 1 })
    miner.idOf('sent 5')
    const [pattern] = miner.drain().added
    const lost = 'a segment cannot be read'
    const logs = { search: () => Promise.resolve({ rows: [], complete: false, warnings: [lost] }) }
    const request = { pattern, filter: MATCH_ALL, range: ALL_TIME, values: 5 }
    const ns = 'variables' as NamespaceId
    await expect(readVariables(logs, ns, request, new AbortController().signal)).resolves.toMatchObject({
      logs: 0,
      complete: false,
      warnings: [lost]
    })
  })
})
