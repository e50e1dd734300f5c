import type { Break } from './break.js'

const LEDGER = 'test/unit/ingest/streams/'
const STREAMS_API = 'test/api/log-streams\\.test'
const ROTATIONS = 'test/agent/rotations\\.test'
const FOLLOWED = 'test/agent/followed-file\\.test'
const DOCKER = 'test/agent/docker/'
const SIMILAR = 'test/agent/similar-files\\.test'
const KNOWN_UNTIL = 'test/agent/known-until\\.test'

/** Promises about log streams and the agent. */
export const STREAMS: readonly Break[] = [
  {
    promise: 'lines beyond a batch that was in flight over another gateway are in the ledger',
    file: 'src/ingest/streams/apply-batch.ts',
    find: 'return applyBeyond(ns, account!, outcome, limits)',
    replace: 'return null',
    tests: LEDGER
  },
  {
    promise: 'equal lines of a container at one time are distinguished',
    file: 'agent/src/docker/container-reading.ts',
    find: ' && nth === this.#from.nth',
    replace: '',
    tests: DOCKER
  },
  {
    promise: 'lines of a container that were removed unread are a gap',
    file: 'agent/src/docker/container-follower.ts',
    find: 'return this.#isLost || to > from ?',
    replace: 'return to > from ?',
    tests: DOCKER
  },
  {
    promise: 'a batch of a container that was noted is sent again as it was',
    file: 'agent/src/docker/container-follower.ts',
    find: 'if (this.#pinned !== null) return this.#addPinned(this.#pinned, read)',
    replace: 'this.#pinned = null',
    tests: DOCKER
  },
  {
    promise: 'a stream whose batch is sent again without its file still knows it',
    file: 'agent/src/files/line-reader.ts',
    find: 'return all.filter(({ offset, anchor }) => offset === 0 || anchor.bytes > 0)',
    replace: 'return all',
    tests: ROTATIONS
  },
  {
    promise: 'a search over a service of a host counts lines of files without a service',
    file: 'src/query/streams/gaps-in-search.ts',
    find: 'scope.hosts !== undefined || scope.paths',
    replace: 'scope.paths',
    tests: 'test/api/search-gaps\\.test'
  },
  {
    promise: 'a search in which lines are missing is not complete',
    file: 'src/query/log-search.ts',
    find: 'lost.cuts.length === 0 && ',
    replace: '',
    tests: 'test/api/search-gaps\\.test'
  },
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
    file: 'agent/src/journal/journal.ts',
    find: '    await this.put(record)\n    await this.sync()\n',
    replace: '    await this.put(record)\n',
    tests: ROTATIONS
  },
  {
    promise: 'a file that was rewritten is distinguished from one that has grown',
    file: 'agent/src/files/line-reader.ts',
    find: "if (!bytes.subarray(0, before).equals(this.#recent)) return 'changed'",
    replace: "if (bytes.length < before) return 'changed'",
    tests: ROTATIONS
  },
  {
    promise: 'a half line waits for its end',
    file: 'agent/src/files/file-stream.ts',
    find: "if (this.phase === 'live' || !this.#wait.hasBeenQuiet()) return false",
    replace: "if (this.phase === 'live' || !this.#wait.hasBeenQuiet()) return (this.#lines.end(), false)",
    tests: FOLLOWED
  },
  {
    promise: 'the rest of a truncated file is read from its copy',
    file: 'agent/src/files/file-stream.ts',
    find: 'const rest = await this.#deps.findRest(this.seen, this.source)',
    replace: 'const rest = (await this.#deps.findRest(this.seen, this.source)) && null',
    tests: ROTATIONS
  },
  {
    promise: 'files that were rotated before the agent was killed are looked for after it started again',
    file: 'agent/src/files/follower.ts',
    find: 'this.#siblings.knownUntilMs(source) + CLOCK_SLACK_MS',
    replace: 'nowMs',
    tests: ROTATIONS
  },
  {
    promise: 'a rotation that no look noticed is looked for after the agent was killed',
    file: 'agent/src/files/sibling-finder.ts',
    find: 'knownUntilMs(source, this.#allAtMs - CLOCK_SLACK_MS)',
    replace: 'knownUntilMs(source, this.#deps.clock.nowMs())',
    tests: KNOWN_UNTIL
  },
  {
    promise: 'a file of which the journal has no stream is looked for after the agent was killed',
    file: 'agent/src/files/followed-streams.ts',
    find: 'return Math.min(...this.#unnoted.values())',
    replace: 'return Number.POSITIVE_INFINITY',
    tests: KNOWN_UNTIL
  },
  {
    promise: 'a file that could not be read is looked for after the agent was killed',
    file: 'agent/src/files/known-until.ts',
    find: ', settled.deferredSinceMs)',
    replace: ')',
    tests: KNOWN_UNTIL
  },
  {
    promise: 'an agent that begins at the end of files reads none from before it after a restart',
    file: 'agent/src/files/known-until.ts',
    find: "const firstMs = file.startAt === 'end' ?",
    replace: "const firstMs = file.startAt === 'beginning' ?",
    tests: KNOWN_UNTIL
  },
  {
    promise: 'a stream does not go on in a file of which a batch of another one was in flight',
    file: 'agent/src/files/file-stream.ts',
    find: '(this.record.pin?.to ?? 0) ? this.record.pin : null',
    replace: '0 ? this.record.pin : null',
    tests: KNOWN_UNTIL
  },
  {
    promise: 'the rest of a file is looked for again after the wait',
    file: 'agent/src/files/rotate-wait.ts',
    find: 'return nowMs - this.#soughtSinceMs >= this.#waitMs',
    replace: 'return nowMs > 0',
    tests: KNOWN_UNTIL
  },
  {
    promise: 'a file that stays unreadable does not bring back files whose streams are forgotten',
    file: 'agent/src/files/known-until.ts',
    find: 'nowMs - LIMITS.endedMs / 2)',
    replace: '0)',
    tests: KNOWN_UNTIL
  },
  {
    promise: 'a file that was renamed during a look at its siblings is found by the next one',
    file: 'agent/src/files/sibling-finder.ts',
    find: 'isOutdated ? sinceMs : Number.POSITIVE_INFINITY',
    replace: 'Number.POSITIVE_INFINITY',
    tests: 'test/agent/sibling-finder\\.test'
  },
  {
    promise: 'files that came and went while no agent ran are looked for',
    file: 'agent/src/files/follower.ts',
    find: 'for (const path of await source.formerPaths(folders)) this.#lookAtSiblings(path, source)',
    replace: 'continue',
    tests: ROTATIONS
  },
  {
    promise: 'files are distinguished within a long line of equal bytes',
    file: 'agent/src/files/line-reader.ts',
    find: 'if (this.#splitter.pendingBytes === 0) return true',
    replace: 'if (this.#scan > 0) return true',
    tests: SIMILAR
  },
  {
    promise: 'a stream does not go on in a file that another one has read',
    file: 'agent/src/files/recognizer.ts',
    find: 'if (known === null || known.record.id === seen.record.id) return true',
    replace: 'if (known === known) return true',
    tests: SIMILAR
  },
  {
    promise: 'a stream does not go on in a copy of a file that another one reads',
    file: 'agent/src/files/recognizer.ts',
    find: 'if (await isClaimed(stream)) return false',
    replace: 'if (!stream) return false',
    tests: SIMILAR
  },
  {
    promise: 'a file that a stream may go on in is looked at again',
    file: 'agent/src/files/follower.ts',
    find: '        return this.#settled.defer(path, seen, rotateWaitMs, clock.elapsedMs())',
    replace: '        return this.#settled.settle(path, stateOf(seen), null)',
    tests: SIMILAR
  },
  {
    promise: 'lines in memory have a limit over all files',
    file: 'agent/src/files/file-stream.ts',
    find: '!buffered.isFull && (await this.#read())',
    replace: '(await this.#read())',
    tests: FOLLOWED
  },
  {
    promise: 'two agents do not share a state folder',
    file: 'agent/src/state-lock.ts',
    find: '  if (await isOwned(path)) throw',
    replace: '  if (false) throw',
    tests: 'test/agent/state-lock\\.test'
  }
]
