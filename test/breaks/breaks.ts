import type { Break } from './break.js'
import { FORMATS } from './format-breaks.js'
import { BODIES as BODY_BREAKS } from './body-breaks.js'
import { DOORS } from './door-breaks.js'
import { MANAGED } from './managed-breaks.js'
import { READS } from './read-breaks.js'

const KILLS = 'test/crash/kill\\.test'
const SYNCS = 'test/crash/system-calls\\.test'
const WALK = 'test/api/isolation\\.test'
const GRAPHQL_WALK = 'test/api/isolation-graphql\\.test'
const BODIES = 'test/api/ingest-bodies\\.test'
const FIELDS = 'test/unit/ingest/parse-log\\.test'
const STREAMS = 'test/unit/query/logs-stream\\.test'

const DURABILITY: readonly Break[] = [
  {
    promise: 'an acknowledged request is synced',
    file: 'src/stores/disk/append-file.ts',
    find: '      await handle.datasync()\n    } catch',
    replace: '    } catch',
    tests: SYNCS
  },
  {
    promise: 'the name of a new journal file is synced',
    file: 'src/stores/disk/append-file.ts',
    find: '      await syncFolder(dirname(file))\n',
    replace: '',
    tests: SYNCS
  },
  {
    promise: 'segments and their folders are synced before the manifest names them',
    file: 'src/stores/duckdb/segments/segment-files.ts',
    find: '    for (const folder of new Set(files.map(file => path.dirname(file)))) await syncFolder(this.pathOf(folder))\n',
    replace: '',
    tests: SYNCS
  },
  {
    promise: 'a replay stores nothing that is stored already',
    file: 'src/stores/duckdb/write/write-path.ts',
    find: 'if (stored.has(key) || this.#open.has(key)) continue',
    replace: 'if (this.#open.has(key)) continue',
    tests: KILLS
  },
  {
    promise: 'segments that the manifest does not list are listed again',
    file: 'src/stores/duckdb/process/engine.ts',
    find: '    const adopted = await recovery.finish(() => writes.applier.flush())\n',
    replace: '    const adopted: readonly string[] = []\n',
    tests: 'test/stores/duckdb-lost-hot-file\\.test'
  },
  {
    promise: 'a segment that is being written is known as such, so that a start can remove it',
    file: 'src/stores/duckdb/segments/segment-files.ts',
    find: '    await announceFiles(connection, files)\n',
    replace: '',
    tests: 'test/stores/duckdb-segments\\.test'
  },
  {
    promise: 'a lost hot file is remembered until a start has noted it',
    file: 'src/stores/duckdb/write/hot-database.ts',
    find: '    const isNew = await isNewHotFile(connection)\n',
    replace: '    const isNew = found === null\n',
    tests: 'test/stores/duckdb-lost-hot-file-gaps\\.test'
  },
  {
    promise: 'a segment is read whole before it is listed again',
    file: 'src/stores/duckdb/segments/unlisted-segments.ts',
    find: ', count(COLUMNS(*)) FROM',
    replace: ' FROM',
    tests: 'test/stores/duckdb-lost-hot-file-gaps\\.test'
  },
  {
    promise: 'numbers of series in the journal are those of earlier starts',
    file: 'src/stores/duckdb/write/series-registry.ts',
    find: '!isNamed(each) && this.#numbers.isOwn(each.id)',
    replace: 'false',
    tests: 'test/stores/duckdb-lost-hot-file-gaps\\.test'
  },
  {
    promise: 'a merge that failed is not listed beside a later one of the same segments',
    file: 'src/stores/duckdb/segments/adoption-plan.ts',
    find: ' || (await isInLater(member, sources, gone, sourcesOf))',
    replace: '',
    tests: 'test/unit/stores/adoption-plan\\.test'
  },
  {
    promise: 'a segment is told from others by its rows where a later merge names its inputs',
    file: 'src/stores/duckdb/segments/adoption-plan.ts',
    find: 'if ((await sourcesOf(row, [member.row])).includes(member.file)) return true',
    replace: 'return row !== member.row',
    tests: 'test/unit/stores/adoption-plan\\.test'
  },
  {
    promise: 'a merge marks its output with what it replaces',
    file: 'src/stores/duckdb/segments/segment-mark.ts',
    find: 'literal(JSON.stringify({ replaces } satisfies Mark))',
    replace: 'literal(JSON.stringify({ replaces: replaces.slice(0, 0) } satisfies Mark))',
    tests: 'test/stores/duckdb-lost-hot-file\\.test'
  },
  {
    promise: 'rows of an adopted segment are taken out of the hot tables',
    file: 'src/stores/duckdb/segments/adoption.ts',
    find: '        await this.#removeFromHot(segment)\n',
    replace: '',
    tests: 'test/stores/duckdb-lost-hot-file\\.test'
  },
  {
    promise: 'points are sealed after the dictionary of their series',
    file: 'src/stores/duckdb/segments/upkeep.ts',
    find: "    if (kind === 'points') await dictionary.write()\n    await sealer.seal(kind, scope)\n",
    replace: '    await sealer.seal(kind, scope)\n',
    tests: 'test/stores/duckdb-lost-hot-file\\.test'
  },
  {
    promise: 'a damaged segment is left out of reads',
    file: 'src/stores/duckdb/process/duckdb-snapshots.ts',
    find: "what === 'segment' && !isDropped && !this.#damaged.has(name)",
    replace: "what === 'segment' && !isDropped && name !== ''",
    tests: 'test/stores/duckdb-damaged-segments\\.test'
  },
  {
    promise: 'a hot file that is older than segments of the same start is noticed',
    file: 'src/stores/duckdb/segments/older-hot-file.ts',
    find: '!isNew && writtenSince(onDisk, known).length > 0',
    replace: 'false',
    tests: 'test/stores/duckdb-older-hot-file\\.test'
  },
  {
    promise: 'rows behind a damaged transaction of the log are kept',
    file: 'src/stores/duckdb/write/repair-log.ts',
    find: 'await this.#write([before, behind])',
    replace: 'await this.#write([before])',
    tests: 'test/stores/duckdb-torn-log\\.test'
  },
  {
    promise: 'a log that ends at a damaged length is looked at for transactions behind it',
    file: 'src/stores/duckdb/write/attach-hot-file.ts',
    find: '  await log.findSilent()\n',
    replace: '',
    tests: 'test/stores/duckdb-torn-log\\.test'
  },
  {
    promise: 'answers say that a journal file is missing',
    file: 'src/stores/duckdb/process/engine.ts',
    find: '...this.#parts.writes.gaps, ',
    replace: '',
    tests: 'test/stores/duckdb-lost-journal\\.test'
  },
  {
    promise: 'a journal file is taken off its list when it is removed',
    file: 'src/stores/duckdb/write/journal/journal-manifest.ts',
    find: '!numbers.includes(number)',
    replace: 'number > 0',
    tests: 'test/stores/duckdb-lost-journal\\.test'
  },
  {
    promise: 'a search that lacks a damaged segment says so',
    file: 'src/stores/shared/with-gaps.ts',
    find: '{ ...answer, complete: false, warnings',
    replace: '{ ...answer, warnings',
    tests: 'test/stores/duckdb-damaged-segments\\.test'
  },
  {
    promise: 'a merge reads its inputs whole before it replaces them',
    file: 'src/stores/duckdb/segments/merger.ts',
    find: 'if (!(await damaged.verify(inputs))) await this.#merge(inputs)',
    replace: 'await this.#merge(inputs)',
    tests: 'test/stores/duckdb-damaged-segments\\.test'
  },
  {
    promise: 'the index of traces is believed only as it was written',
    file: 'src/stores/duckdb/read/find-traces.ts',
    find: '    this.#check(blocks, first)\n',
    replace: '    void this.#check\n',
    tests: 'test/stores/duckdb-trace-index\\.test'
  },
  {
    promise: 'a start without users is refused beside records',
    file: 'src/stores/assemble/open.ts',
    find: '  if (choice.databaseUrl === null) await requireControlBeside(dataDir)\n',
    replace: '',
    tests: 'test/api/lost-control\\.test'
  }
]

const ISOLATION: readonly Break[] = [
  {
    promise: 'rows of the hot tables are those of one namespace',
    file: 'src/stores/duckdb/read/source.ts',
    find: 'const where = `ns = ${params.add(scope.ns)} AND ${inRange(scope.range, params)}`',
    replace: 'const where = inRange(scope.range, params)',
    tests: WALK
  },
  {
    promise: 'the same, seen through GraphQL',
    file: 'src/stores/duckdb/read/source.ts',
    find: 'const where = `ns = ${params.add(scope.ns)} AND ${inRange(scope.range, params)}`',
    replace: 'const where = inRange(scope.range, params)',
    tests: GRAPHQL_WALK
  },
  {
    promise: 'a record found by its id is one of the own namespace',
    file: 'src/stores/duckdb/read/get-record.ts',
    find: 'find(params => hotSql(table, columnsSql(scope), scope, params))',
    replace: 'find(() => `SELECT * FROM ${table}`)',
    tests: GRAPHQL_WALK
  },
  {
    promise: 'segments are those of one namespace',
    file: 'src/stores/duckdb/process/duckdb-snapshots.ts',
    find: 'WHERE kind = $1 AND ns = $2 AND max_ns >= $3 AND min_ns < $4',
    replace: "WHERE kind = $1 AND ns <> $2 || '!' AND max_ns >= $3 AND min_ns < $4",
    tests: 'test/stores/duckdb-contract\\.test|test/stores/duckdb-segments'
  },
  {
    promise: 'a cursor is good in one namespace only',
    file: 'src/query/cursor.ts',
    find: 'scope.list, scope.namespace, scope.filter',
    replace: 'scope.list, scope.filter',
    tests: `${WALK}|test/unit/query`
  },
  {
    promise: 'a read names a namespace of which the caller is a member',
    file: 'src/access/authorizer.ts',
    find: "    await this.requireRole(principal, namespace.id, 'viewer')\n",
    replace: '',
    tests: WALK
  },
  {
    promise: 'a key writes only where it may',
    file: 'src/access/asked-namespace.ts',
    find: '  return key.namespaces.includes(namespace.id)\n',
    replace: '  return true\n',
    tests: WALK
  },
  {
    promise: 'only admins change or delete a namespace',
    file: 'src/access/namespace-service.ts',
    find: "    await this.#deps.authorizer.requireRole(principal, ns, 'admin')\n",
    replace: '',
    tests: WALK
  },
  {
    promise: 'only admins list the keys of a namespace',
    file: 'src/access/api-key-service.ts',
    find: "    await this.#deps.authorizer.requireRole(principal, namespaceId, 'admin')\n",
    replace: '',
    tests: WALK
  },
  {
    promise: 'a lower role does not do what a higher one may',
    file: 'src/domain/role.ts',
    find: 'return ROLES.indexOf(role) >= ROLES.indexOf(needed)',
    replace: 'return needed.length > 0 && role.length > 0',
    tests: WALK
  },
  {
    promise: 'a browser key is used from its own pages only',
    file: 'src/access/origins.ts',
    find: 'return allowed.includes(origin === undefined ? OPAQUE : origin.toLowerCase())',
    replace: 'return allowed.length > 0 || origin === OPAQUE',
    tests: 'test/api/identity\\.test'
  }
]

const SIGN_IN = 'test/access/sign-in-throttle\\.test'
const FAIR_QUEUE = 'test/access/fair-queue\\.test'

const SIGN_INS: readonly Break[] = [
  {
    promise: 'failed sign-ins of an address are limited, whatever the accounts',
    file: 'src/access/sign-in-throttle.ts',
    find: 'const FAILURES_PER_NETWORK = 30\n',
    replace: 'const FAILURES_PER_NETWORK = 30_000\n',
    tests: SIGN_IN
  },
  {
    promise: 'an IPv6 address counts by its /64',
    file: 'src/access/address-prefix.ts',
    find: 'const NETWORK_GROUPS = 4\n',
    replace: 'const NETWORK_GROUPS = 8\n',
    tests: SIGN_IN
  },
  {
    promise: 'invented accounts do not push an attacker out of memory',
    file: 'src/access/attempt-log.ts',
    find: 'for (const keys of [this.#single, this.#repeated]) {',
    replace: 'for (const keys of [this.#repeated, this.#single]) {',
    tests: SIGN_IN
  },
  {
    promise: 'an attempt that was not checked is not counted',
    file: 'src/access/sign-in-throttle.ts',
    find: '        outcomes.unchecked()\n',
    replace: '',
    tests: SIGN_IN
  },
  {
    promise: 'an address that signed in before is not locked out by others',
    file: 'src/access/sign-in-throttle.ts',
    find: '    if (this.#good.has(pair)) return\n',
    replace: '',
    tests: SIGN_IN
  },
  {
    promise: 'the queue of password checks has a share for each address',
    file: 'src/access/fair-queue.ts',
    find: '    if (own >= this.#bounds.waitingPerNetwork) throw this.#overloaded()\n',
    replace: '',
    tests: FAIR_QUEUE
  },
  {
    promise: 'who failed before waits behind who did not',
    file: 'src/access/fair-queue.ts',
    find: '    if (a.rank !== b.rank) return a.rank < b.rank\n',
    replace: '',
    tests: FAIR_QUEUE
  }
]

const SCRUB = 'test/stores/duckdb-scrub\\.test'
const SECRETS = 'test/access/secrets-key\\.test'
const NAMES = 'test/access/forgotten-names\\.test'

const BYTES_ON_DISK: readonly Break[] = [
  {
    promise: 'free blocks of the hot file hold nothing of a dropped namespace',
    file: 'src/stores/duckdb/segments/dropped-namespaces.ts',
    find: '    await scrubFreeBlocks(connection, this.#work.checkpoint)\n',
    replace: '    await this.#work.checkpoint()\n',
    tests: SCRUB
  },
  {
    promise: 'the table of series holds nothing of a dropped namespace',
    file: 'src/stores/duckdb/segments/dropped-namespaces.ts',
    find: '      await rewriteSeries(connection)\n',
    replace: '',
    tests: SCRUB
  },
  {
    promise: 'the journal holds nothing of a dropped namespace',
    file: 'src/stores/duckdb/segments/dropped-namespaces.ts',
    find: 'const isClean = await writes.retireJournal()\n',
    replace: 'const isClean = true\n',
    tests: SCRUB
  },
  {
    promise: 'set-aside requests of a dropped namespace are removed',
    file: 'src/stores/duckdb/segments/dropped-namespaces.ts',
    find: '    for (const { kind, ns } of drops) await setAside.removeNamed(`${kind}-${ns}-`)\n',
    replace: '',
    tests: SCRUB
  },
  {
    promise: 'private keys that were plain leave the disk once they are sealed',
    file: 'src/stores/control/open-sqlite.ts',
    find: '  await sql`vacuum`.execute(db)\n  await sql`pragma wal_checkpoint(truncate)`.execute(db)\n',
    replace: '',
    tests: SECRETS
  },
  {
    promise: 'a sealed secret is good in its own place only',
    file: 'src/access/secret-box.ts',
    find: "Buffer.from(nonce, 'base64url')).setAAD(Buffer.from(context))",
    replace: "Buffer.from(nonce, 'base64url')).setAAD(Buffer.from('place a'))",
    tests: SECRETS
  },
  {
    promise: 'the name of a deleted namespace is forgotten',
    file: 'src/access/namespace-removal.ts',
    find: '      await this.#forgetNames(ports, ns)\n',
    replace: '',
    tests: NAMES
  },
  {
    promise: 'files are the owner’s alone whatever the umask',
    file: 'src/app/private-files.ts',
    find: 'process.umask(OWNER_ONLY_MASK)',
    replace: 'process.umask()',
    tests: 'test/api/file-modes\\.test'
  },
  {
    promise: 'first-run.txt goes when its password does not sign in any more',
    file: 'src/app/first-run-watch.ts',
    find: 'return removeFirstRun(dataDir)',
    replace: 'return',
    tests: 'test/threads/first-run-watch\\.test'
  }
]

const HOSTILE_INPUT: readonly Break[] = [
  {
    promise: 'nesting is bounded',
    file: 'src/ingest/free-fields.ts',
    find: 'depth: number): void {\n    const { limits } = this.#check\n    if (depth > limits.depth) {',
    replace: 'depth: number): void {\n    const { limits } = this.#check\n    if (depth > 1e9) {',
    tests: FIELDS
  },
  {
    promise: 'a decompressed body is bounded',
    file: 'src/http/inflate-body.ts',
    find: 'if (length > maxBytes) throw bodyTooLarge(maxBytes)',
    replace: '',
    tests: BODIES
  },
  {
    promise: 'a name of an unknown member is only a name',
    file: 'src/ingest/raw-object.ts',
    find: 'const out = extra ?? bareObject<unknown>()',
    replace: 'const out = extra ?? ({} as Record<string, unknown>)',
    tests: FIELDS
  },
  {
    promise: 'the fields of a record are bounded',
    file: 'src/ingest/free-fields.ts',
    find: 'if (++this.leaves <= this.#check.limits.fields) return',
    replace: 'if (++this.leaves <= 1e9) return',
    tests: FIELDS
  },
  {
    promise: 'half of a surrogate pair is no text',
    file: 'src/wire/json/lossless-json.ts',
    find: "if (typeof value === 'string') return value.toWellFormed()",
    replace: "if (typeof value === 'string') return value",
    tests: BODIES
  }
]

const FAULTS: readonly Break[] = [
  {
    promise: 'a full disk is refused before anything is written',
    file: 'src/stores/disk/disk-room.ts',
    find: 'return this.#freeBytes - this.#copies * (this.#spentBytes + pendingBytes) >= this.#minFreeBytes',
    replace: 'return this.#freeBytes + this.#copies + this.#spentBytes + pendingBytes + this.#minFreeBytes >= 0',
    tests: 'test/crash/disk-full\\.test'
  },
  {
    promise: 'a torn frame is no frame',
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
    find: 'AbortSignal.any([asked.signal, late.signal])',
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
    promise: 'a client that goes away before the answer is no fault of the service',
    file: 'src/http/server.ts',
    find: 'if (request.raw.socket.destroyed) {',
    replace: 'if (request.raw.socket.destroyed && thrown === undefined) {',
    tests: 'test/api/broken-clients\\.test'
  }
]

const SUBSTRINGS: readonly Break[] = [
  {
    promise: 'letter case is ignored beyond what the engine lowers',
    file: 'src/domain/case-folding.ts',
    find: '  if (!NOT_ASCII.test(text)) return text.toLowerCase()\n',
    replace: '  if (text !== "") return text.toLowerCase()\n',
    tests: 'test/stores/duckdb-contract\\.test|test/unit/case-folding'
  }
]

const OPERATIONS: readonly Break[] = [
  {
    promise: 'a background job that fails repeatedly is shown in health',
    file: 'src/telemetry/background-jobs.ts',
    find: 'failuresInARow >= REPEATED_FAILURES)',
    replace: 'failuresInARow > Number.MAX_VALUE)',
    tests: 'test/unit/background-jobs\\.test'
  },
  {
    promise: 'the request log holds no path beyond the pattern of its route',
    file: 'src/http/request-log.ts',
    find: "route: request.routeOptions.url ?? 'unmatched'",
    replace: 'route: request.url',
    tests: 'test/api/request-log\\.test'
  },
  {
    promise: 'nobody registers through a proxy that the operator did not name',
    file: 'src/access/sign-in.ts',
    find: "(registration === 'local' && !isThroughProxy)",
    replace: "registration === 'local'",
    tests: 'test/api/local-access\\.test'
  },
  {
    promise: 'counts over whole steps are exact: each step of a counted metric begins with a zero',
    file: 'src/stores/virtual/counter-samples.ts',
    find: '    add(startNs + MS_NS, 0)\n',
    replace: '',
    tests: 'test/unit/stores/counted-steps\\.test'
  },
  {
    promise: 'a hint on a value is looked up in the own namespace and window',
    file: 'src/query/spelling-hints.ts',
    find: '{ range, filter: EVERYTHING, facets }',
    replace: '{ range: { startNs: 0n, endNs: range.endNs }, filter: EVERYTHING, rows: { limit: 1, order: "desc" }, facets }',
    tests: 'test/unit/query/spelling-hints\\.test'
  },
  {
    promise: 'a correlation looks at what is counted out of spans',
    file: 'src/query/correlation/linked-series.ts',
    find: 'if (service) found.push(',
    replace: "if (service?.value === '') found.push(",
    tests: 'test/api/correlate-spans\\.test'
  },
  {
    promise: 'metrics behind a token need the token',
    file: 'src/http/metrics-guard.ts',
    find: '!timingSafeEqual(digest(sent), expected)',
    replace: "sent === ''",
    tests: 'test/api/local-access\\.test'
  }
]

/** What "must hold" of the embedded service, each with the tests that hold it. */
export const BREAKS: readonly Break[] = [
  ...DURABILITY,
  ...ISOLATION,
  ...SIGN_INS,
  ...BYTES_ON_DISK,
  ...HOSTILE_INPUT,
  ...FAULTS,
  ...SUBSTRINGS,
  ...OPERATIONS,
  ...READS,
  ...FORMATS,
  ...BODY_BREAKS,
  ...MANAGED,
  ...DOORS
]
