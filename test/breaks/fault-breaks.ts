import type { Break } from './break.js'

const STREAMS = 'test/unit/query/logs-stream\\.test'

/** Promises about faults of the disk, the clock and clients. */
export const FAULTS: readonly Break[] = [
  {
    promise: 'a full disk is refused before anything is written',
    file: 'src/stores/disk/disk-room.ts',
    find: 'return this.#freeBytes - requestedBytes >= this.#minFreeBytes',
    replace: 'return this.#freeBytes + requestedBytes + this.#minFreeBytes >= 0',
    tests: 'test/crash/disk-full\\.test'
  },
  {
    promise: 'work of the background leaves the room that acknowledged rows need',
    file: 'src/stores/disk/disk-room.ts',
    find: '    this.#writings.add(writing)\n',
    replace: '',
    tests: 'test/unit/stores/disk-room'
  },
  {
    promise: 'segments are written only where there is room',
    file: 'src/stores/duckdb/segments/segment-files.ts',
    find: 'return this.#options.inRoom(room, () => this.#keepOrDiscard(connection, names, writing))',
    replace:
      'return room.sizeBytes < 0 ? this.#options.inRoom(room, async () => null as never) : this.#keepOrDiscard(connection, names, writing)',
    tests: 'test/stores/duckdb-merger'
  },
  {
    promise: 'a torn frame is not a frame',
    file: 'src/stores/disk/checked-frames.ts',
    find: 'crc32(body) === content.readUInt32LE(at + WORD_BYTES) ?',
    replace: 'content.readUInt32LE(at + WORD_BYTES) >= 0 ?',
    tests: 'test/unit/stores/journal'
  },
  {
    promise: 'a data folder belongs to one process',
    file: 'src/stores/disk/folder-lock.ts',
    find: "    database.exec('BEGIN EXCLUSIVE')\n",
    replace: '',
    tests: 'test/stores/open-stores\\.test'
  },
  {
    promise: 'ids grow though the clock goes back',
    file: 'src/domain/ulid.ts',
    find: 'lastMs = Math.max(ms, lastMs + (ms > lastMs ? 0 : 1))',
    replace: 'lastMs = ms',
    tests: 'test/unit/domain/small-rules\\.test'
  },
  {
    promise: 'a query ends with its caller',
    file: 'src/query/query-limits.ts',
    find: 'AbortSignal.any([requested.signal, late.signal])',
    replace: 'AbortSignal.any([late.signal])',
    tests: 'test/unit/query/query-limits\\.test'
  },
  {
    promise: 'a stream reads no further than its reader takes it',
    file: 'src/http/routes/logs-stream.ts',
    find: 'highWaterMark: 1 }',
    replace: 'highWaterMark: 1e9 }',
    tests: STREAMS
  },
  {
    promise: 'a stream ends its query when its reader goes away',
    file: 'src/http/routes/logs-stream.ts',
    find: '    await pages.return?.()\n',
    replace: '',
    tests: STREAMS
  },
  {
    promise: 'a client that goes away before the response is not an error of the service',
    file: 'src/http/server.ts',
    find: 'if (request.raw.socket.destroyed) {',
    replace: 'if (request.raw.socket.destroyed && thrown === undefined) {',
    tests: 'test/api/broken-clients\\.test'
  }
]
