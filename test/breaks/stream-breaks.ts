import type { Break } from './break.js'

const LEDGER = 'test/unit/ingest/streams/'
const STREAMS_API = 'test/api/log-streams\\.test'
const ROTATIONS = 'test/agent/rotations\\.test'

/** Promises about log streams and the agent. */
export const STREAMS: readonly Break[] = [
  {
    promise: 'a batch that arrived before is a repeat',
    file: 'src/ingest/streams/apply-batch.ts',
    find: "if (gap === undefined) return { kind: 'repeat' }",
    replace: "if (gap === undefined) return { kind: 'next' }",
    tests: LEDGER
  },
  {
    promise: 'bytes that are stored are not stored under another number',
    file: 'src/ingest/streams/apply-batch.ts',
    find: 'if (start < stream.bytesTo)',
    replace: 'if (start < 0)',
    tests: LEDGER
  },
  {
    promise: 'a repeat has the ingest id of its first attempt',
    file: 'src/ingest/streams/stream-ingest-id.ts',
    find: 'foldedTimeMs(sealedAtMs, nowMs, MAX_AHEAD_MS)',
    replace: 'foldedTimeMs(sealedAtMs, nowMs, MAX_AHEAD_MS) + performance.now()',
    tests: STREAMS_API
  },
  {
    promise: 'rejected records of a stream are in the ledger',
    file: 'src/ingest/streams/accept-stream.ts',
    find: 'rejected: refusals.byCode,',
    replace: 'rejected: new Map<string, number>(),',
    tests: STREAMS_API
  },
  {
    promise: 'a gap that a late batch can close is never merged',
    file: 'src/ingest/streams/stream-gaps.ts',
    find: 'const closed = gaps.filter(gap => !isOpen(gap))',
    replace: 'const closed = gaps',
    tests: LEDGER
  },
  {
    promise: 'the agent syncs its journal before it sends a batch',
    file: 'agent/src/files/file-stream.ts',
    find: '    await journal.sync()\n',
    replace: '',
    tests: ROTATIONS
  },
  {
    promise: 'a file that was rewritten is told from one that has grown',
    file: 'agent/src/files/line-reader.ts',
    find: "if (!bytes.subarray(0, before).equals(this.#recent)) return 'changed'",
    replace: "if (bytes.length < before) return 'changed'",
    tests: ROTATIONS
  },
  {
    promise: 'a half line waits for its end',
    file: 'agent/src/files/file-stream.ts',
    find: "if (this.phase === 'live' || !this.#hasWaited()) return false",
    replace: "if (this.phase === 'live' || !this.#hasWaited()) return (this.#reader.flush(), false)",
    tests: ROTATIONS
  },
  {
    promise: 'the rest of a truncated file is read from its copy',
    file: 'agent/src/files/file-stream.ts',
    find: 'const file = await this.#deps.findRest(this.seen)',
    replace: 'const file = (await this.#deps.findRest(this.seen)) && null',
    tests: ROTATIONS
  }
]
