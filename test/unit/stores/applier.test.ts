import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { IngestId, NamespaceId } from '../../../src/domain/ids.js'
import type { Accepted } from '../../../src/stores/duckdb/write/accepted.js'
import { Applier, type ApplierDeps } from '../../../src/stores/duckdb/write/applier.js'
import { JournalFile } from '../../../src/stores/duckdb/write/journal/journal-file.js'

const NS = 'testnamespace01' as NamespaceId
const OTHER_NS = 'testnamespace02' as NamespaceId
const NEVER = { applyRows: 1e9, applyBytes: 1e9, applyAfterMs: 3_600_000, maxCommitBytes: 1e9, maxPendingBytes: 300 }

let nowMs: number
let applier: Applier
let committed: string[][]
let done: string[]
let setAside: string[]
let states: unknown[]

function open(parts: Partial<ApplierDeps>): void {
  committed = []
  done = []
  setAside = []
  states = []
  nowMs = 0
  applier = new Applier({
    limits: NEVER,
    commit: async group => {
      committed.push(group.map(({ request }) => request.ingestId))
    },
    setAside: async ({ request }) => {
      setAside.push(request.ingestId)
    },
    isDropped: () => false,
    onDone: (group, isStored) => {
      if (isStored) done.push(...group.map(({ request }) => request.ingestId))
    },
    onState: state => states.push(state),
    nowMs: () => nowMs,
    ...parts
  })
}

function accepted(id: string, ns = NS): Accepted {
  return {
    request: { kind: 'logs', ns, ingestId: id as IngestId, rows: 1, columns: {} },
    payload: Buffer.alloc(10),
    bytes: 100,
    refused: [],
    pinned: [],
    outcome: { accepted: 1, failures: [] },
    file: JournalFile.found('none', 0)
  }
}

function add(...ids: string[]): void {
  for (const id of ids) applier.add(accepted(id))
}

// A test may have stopped it.
afterEach(() => applier.stop(async () => undefined).catch(() => undefined))

it('applies nothing for a read of a namespace that waits for nothing, and everything before what it waits for', async () => {
  open({})
  add('a', 'b')
  await applier.applied('logs', OTHER_NS)
  await applier.applied('rum', NS)
  expect(committed).toEqual([])
  await applier.applied('logs', NS)
  expect(committed).toEqual([['a', 'b']])
})

it('sets only the culprit aside when the database refuses it, and stores the others once and in order', async () => {
  open({
    commit: async group => {
      if (group.some(({ request }) => request.ingestId === 'bad')) throw new Error('Invalid Input Error: no')
      committed.push(group.map(({ request }) => request.ingestId))
    }
  })
  add('a', 'bad', 'b')
  await applier.flush()
  expect(committed).toEqual([['a'], ['b']])
  expect([done, setAside]).toEqual([['a', 'b'], ['bad']])
})

it('keeps everything while the disk is full, reports it, and stores it once when there is room again', async () => {
  let isFull = true
  open({
    commit: async group => {
      if (isFull) throw new Error('IO Error: Could not write: No space left on device')
      committed.push(group.map(({ request }) => request.ingestId))
    }
  })
  add('a', 'b')
  await expect(applier.applied('logs', NS)).rejects.toThrow('No space left')
  expect([done, setAside]).toEqual([[], []])
  expect(states.at(-1)).toMatchObject({ message: expect.stringContaining('No space') })
  add('c')
  await expect(applier.room()).rejects.toMatchObject({ code: 'storage_full' })
  expect(await applier.exclusive(async failure => failure !== null)).toBe(true)
  await expect(applier.afterAll(async () => 'ran')).rejects.toThrow('No space left')
  isFull = false
  await applier.flush()
  expect(committed).toEqual([['a', 'b', 'c']])
  expect([done, states.at(-1)]).toEqual([['a', 'b', 'c'], null])
})

describe('a request for which there is no memory', () => {
  const COMMIT_BYTES = 99
  const MINUTE_MS = 60_000
  let error: Error

  /** 20 tries, of which the last comes `afterMs` after the first. */
  async function tryFor(afterMs: number): Promise<void> {
    for (let n = 0; n < 20; n++) {
      if (n === 19) nowMs += afterMs
      await applier.flush().catch(() => undefined)
    }
  }

  function openFull(maxCommitBytes: number): void {
    open({
      limits: { ...NEVER, maxCommitBytes },
      commit: async group => {
        if (group.some(({ request }) => request.ingestId === 'huge')) throw error
        committed.push(group.map(({ request }) => request.ingestId))
      }
    })
    add('huge', 'b')
  }

  beforeEach(() => {
    error = new Error('TransactionContext Error: Failed to commit: failed to pin block of size 256.0 KiB')
  })

  it('is set aside when it is alone for its size and has failed for a minute, and what is behind it is stored', async () => {
    openFull(COMMIT_BYTES)
    await tryFor(MINUTE_MS - 1)
    expect([committed, setAside]).toEqual([[], []])
    nowMs++
    await applier.flush()
    expect([committed, setAside, done]).toEqual([[['b']], ['huge'], ['b']])
  })

  it('stays when it has been tried less often than 20 times', async () => {
    openFull(COMMIT_BYTES)
    await applier.flush().catch(() => undefined)
    nowMs = MINUTE_MS
    await expect(applier.flush()).rejects.toThrow('failed to pin')
    expect(setAside).toEqual([])
  })

  it.each(['IO Error: Could not read', 'FATAL Error: database has been invalidated: failed to pin block'])(
    'is not such a request when it fails with %s',
    async message => {
      error = new Error(message)
      openFull(COMMIT_BYTES)
      await tryFor(MINUTE_MS)
      await expect(applier.flush()).rejects.toThrow(message)
      expect(setAside).toEqual([])
    }
  )

  it('stays while its size is an ordinary one: something else takes the memory', async () => {
    openFull(100)
    await tryFor(MINUTE_MS)
    await expect(applier.flush()).rejects.toThrow('failed to pin')
    expect(setAside).toEqual([])
  })
})

it('keeps the order and applies nothing while exclusive work runs', async () => {
  open({})
  add('a')
  await applier.exclusive(async () => {
    expect(committed).toEqual([['a']])
    add('b')
    void applier.flush()
    await new Promise(resolve => setImmediate(resolve))
    expect(committed).toHaveLength(1)
  })
  await applier.flush()
  expect(committed).toEqual([['a'], ['b']])
})

it('lets requests wait at the bound of pending bytes until something was applied', async () => {
  open({})
  add('a', 'b')
  await applier.room()
  add('c')
  const waiting = applier.room()
  await applier.flush()
  await waiting
  expect(applier.pendingBytes).toBe(0)
})

it('leaves out what belongs to a dropped namespace', async () => {
  open({ isDropped: (_kind, ns) => ns === OTHER_NS })
  applier.add(accepted('a', OTHER_NS))
  add('b')
  await applier.flush()
  expect(committed).toEqual([['b']])
})

it('goes on when exclusive work throws at once', async () => {
  open({})
  const work = (): Promise<void> => {
    throw new Error('no')
  }
  await expect(applier.exclusive(work)).rejects.toThrow('no')
  add('a')
  await applier.flush()
  expect(committed).toEqual([['a']])
})

it('refuses, and leaves no one waiting for, what comes after it was stopped', async () => {
  open({})
  await applier.stop(async () => undefined)
  add('a')
  await expect(applier.applied('logs', NS)).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(applier.exclusive(async () => undefined)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(committed).toEqual([])
})
