import type { Break } from './break.js'

const CHANGES = 'test/unit/ingest/hosts/'
const HOSTS_API = 'test/api/hosts\\.test'
const MASKS = 'test/agent/listeners/mask-command\\.test'
const COLLECTION = 'test/agent/listeners/collect-listeners\\.test'
const LOST_STATE = 'test/agent/lost-state\\.test'

/** Promises about hosts, listeners and agents that lost their state. */
export const HOSTS: readonly Break[] = [
  {
    promise: 'secrets of command lines do not leave the host',
    file: 'agent/src/listeners/mask-command.ts',
    find: '  if (isSecretValue(arg, before, program)) return MASK\n',
    replace: '',
    tests: MASKS
  },
  {
    promise: 'half of a secret at the end of what is read does not leave the host',
    file: 'agent/src/listeners/collect-listeners.ts',
    find: 'Buffer.byteLength(text) >= MAX_CMDLINE_BYTES',
    replace: 'false',
    tests: COLLECTION
  },
  {
    promise: 'known sockets cost one look each',
    file: 'agent/src/listeners/socket-owners.ts',
    find: 'if (known !== undefined && this.#has(known, inode)) owners.set(inode, known)',
    replace: '',
    tests: COLLECTION
  },
  {
    promise: 'a listener that a report does not have is gone',
    file: 'src/ingest/hosts/listener-changes.ts',
    find: 'closedMs === null && !reported.has(id)',
    replace: 'closedMs !== null && !reported.has(id)',
    tests: CHANGES
  },
  {
    promise: 'an agent that stopped is stale after three intervals',
    file: 'src/domain/reported-host.ts',
    find: 'const MISSED_REPORTS = 3',
    replace: 'const MISSED_REPORTS = 4',
    tests: 'test/unit/query/hosts/'
  },
  {
    promise: 'a report without listeners leaves those that are known as old as they are',
    file: 'src/ingest/hosts/host-recorder.ts',
    find: 'listenersSeenMs: sum === null ? (known?.listenersSeenMs ?? null) :',
    replace: 'listenersSeenMs:',
    tests: CHANGES
  },
  {
    promise: 'an ingest key reads the streams of no other host',
    file: 'src/ingest/hosts/host-streams.ts',
    find: '...{ hostId, hostOrNone: name,',
    replace: '...{ hostOrNone: name,',
    tests: HOSTS_API
  },
  {
    promise: 'an agent takes no streams of a machine that was cloned',
    file: 'src/ingest/hosts/host-streams.ts',
    find: 'hostOrNone: name,',
    replace: '',
    tests: HOSTS_API
  },
  {
    promise: 'an agent that lost its state goes on where the service is',
    file: 'agent/src/recover/recover-streams.ts',
    find: 'if (!journal.streams.has(stream.id)) await journal.put(toRecord(stream, pattern))',
    replace: 'void toRecord(stream, pattern)',
    tests: LOST_STATE
  },
  {
    promise: 'a stream is in the ledger before its first batch is stored',
    file: 'src/ingest/accept-records.ts',
    find: '      await begin?.()\n',
    replace: '',
    tests: 'test/api/recovered-streams\\.test'
  },
  {
    promise: 'records of a repeat in parts keep their positions',
    file: 'src/ingest/check-records.ts',
    find: 'this.#checkOne(checked, check, items[index], index)',
    replace: 'this.#checkOne(checked, check, items[index], index - (job.stored?.size ?? 0))',
    tests: 'test/api/recovered-streams\\.test'
  },
  {
    promise: 'a comparison with what is stored ends in time',
    file: 'src/ingest/streams/unrecorded-records.ts',
    find: 'setTimeout(() => late.abort(error), comparedMs)',
    replace: 'setTimeout(() => undefined, comparedMs)',
    tests: 'test/unit/ingest/streams/unrecorded-records\\.test'
  },
  {
    promise: 'a file that is found by the end of its first batch is read from the beginning of that',
    file: 'agent/src/files/file-stream.ts',
    find: 'if (offset === undefined) return\n',
    replace: 'if (offset !== -1) return\n',
    tests: LOST_STATE
  },
  {
    promise: 'an agent that is killed while it recovers begins again',
    file: 'agent/src/recover/recover-streams.ts',
    find: '    for (const stream of its) if (!journal.streams.has(stream.id))',
    replace:
      '    await journal.looked(pattern, sinceMs, firstMs)\n    for (const stream of its) if (!journal.streams.has(stream.id))',
    tests: LOST_STATE
  },
  {
    promise: 'an agent that lost its state knows the streams whose first batch is in flight',
    file: 'src/ingest/hosts/host-streams.ts',
    find: "if (after === '') await settled(id, hostId)",
    replace: 'void settled',
    tests: 'test/api/log-streams\\.test'
  },
  {
    promise: 'bytes under the number of a batch in flight wait for it',
    file: 'src/ingest/streams/accept-stream.ts',
    find: 'const reply = this.#turns.run(`${ns} ${batch.id}`, () => this.#accept(batch, raw, target, store))',
    replace: 'const reply = this.#accept(batch, raw, target, store)',
    tests: 'test/api/log-streams\\.test'
  }
]
