import { describe, expect, it } from '@jest/globals'
import { DeletionMarks } from '../../../src/stores/elasticsearch/index/deletion-marks.js'
import { NS } from '../ingest/items.js'

describe('marks of deletions', () => {
  const open = () => new DeletionMarks({ nowMs: () => 1_000 })

  it('go once all that they hide was removed', () => {
    const marks = open()
    const mark = marks.raise(NS, 'logs', 5n)
    expect(marks.of(NS, 'logs')).toMatchObject({ timeNs: 5n, indices: null })
    marks.settle(NS, 'logs', mark, [])
    expect(marks.of(NS, 'logs')).toBeNull()
  })

  it('keep to the indices in which something is left', () => {
    const marks = open()
    marks.settle(NS, 'logs', marks.raise(NS, 'logs', 5n), ['one'])
    expect(marks.of(NS, 'logs')).toMatchObject({ timeNs: 5n, indices: ['one'] })
  })

  it('are replaced by the next, which an older removal does not settle', () => {
    const marks = open()
    const older = marks.raise(NS, 'logs', 5n)
    marks.raise(NS, 'logs', 3n)
    marks.settle(NS, 'logs', older, [])
    expect(marks.of(NS, 'logs')).toMatchObject({ timeNs: 3n, indices: null })
    expect(marks.of(NS, 'spans')).toBeNull()
  })
})
