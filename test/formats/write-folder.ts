import { execFileSync } from 'node:child_process'
import { on } from 'node:events'
import { watch } from 'node:fs'
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FirstRun } from '../../bench/service/first-run.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { TUNED_ENTRY } from '../crash/crash-site.js'
import { openTempFolder } from '../support/temp-folder.js'
import { readAll } from './read-all.js'
import { readsOf } from './reads.js'
import { roundOf } from './records.js'
import type { Person, Recording } from './recording.js'
import { packFolder } from './unpack.js'

/*
 * Writes a data folder with everything that the service stores, in every place where it stores it: merged and single
 * segments with their indexes, hot tables, and journal entries that are not applied; and its responses when it is read.
 *
 *   npm run formats -- <name>      e.g. the number of the format; see docs/upgrading.md
 */

const SEALED_ROUNDS = 12
const HOT_ROUND = SEALED_ROUNDS
const JOURNAL_ROUND = HOT_ROUND + 1
const ROUNDS = JOURNAL_ROUND + 1
const NEVER_MS = 86_400_000
const SEAL_DEADLINE_MS = 20_000
const SEALED_KINDS = ['logs', 'spans', 'points', 'rum', 'errors']

const SEALING = { sealAgeMs: 100, minSegmentRows: 1, gramIndexRows: 100, upkeepIntervalMs: 40 }
const KEEPING_HOT = { sealAgeMs: NEVER_MS, upkeepIntervalMs: NEVER_MS }
const KEEPING_IN_JOURNAL = { ...KEEPING_HOT, applyAfterMs: NEVER_MS }

const FOREVER = Object.fromEntries(['logs', 'traces', 'metrics', 'rum', 'errors', 'rejected'].map(signal => [signal, 'forever']))
const PASSWORD = 'invented for a fixture'
const INVITED = ['member', 'viewer'] as const

const started: ServiceProcess[] = []

async function start(dataDir: string, limits: object): Promise<ServiceProcess> {
  const service = await ServiceProcess.spawn({
    dataDir,
    entry: TUNED_ENTRY,
    args: ['--log-level', 'error', '--registration', 'open'],
    env: { STORE_LIMITS_FOR_TESTS: JSON.stringify(limits) }
  })
  started.push(service)
  await service.ready()
  return service
}

/** Ends both processes at once: the store process would apply its journal when it sees its parent go. */
async function kill(service: ServiceProcess): Promise<void> {
  const store = service.storePid
  process.kill(service.pid, 'SIGSTOP')
  if (store !== null) process.kill(store, 'SIGKILL')
  await service.stop('SIGKILL')
}

/** Headers that name the fixture's namespace, and what people and keys of it are. */
interface Place {
  readonly namespaceId: string
  readonly ingestKey: string
  readonly queryKey: string
  readonly people: readonly Person[]
}

async function settle(operator: Session, { email, password }: FirstRun): Promise<Place> {
  const { id } = await operator.makeNamespace('fixture', FOREVER)
  const people: Person[] = [{ email, password, role: 'admin' }]
  for (const role of INVITED) {
    const { token } = await operator.call<{ token: string }>('POST', `/api/v1/namespaces/${id}/invitations`, { role })
    const person = { email: `${role}@fixture.test`, password: PASSWORD }
    await operator.call('POST', '/api/v1/auth/register', { ...person, invitation_token: token })
    people.push({ ...person, role })
  }
  const ingestKey = await operator.makeKey('fixture ingest', 'ingest', [id])
  const queryKey = await operator.makeKey('fixture query', 'query', [id])
  return { namespaceId: id, ingestKey, queryKey, people }
}

async function send(operator: Session, { namespaceId, ingestKey }: Place, round: number): Promise<void> {
  for (const { path, body } of roundOf(round)) {
    // Members may write page views; a browser's key would be one more secret.
    const headers: Record<string, string> = path.endsWith('/rum') ? { 'x-namespace-id': namespaceId } : { 'x-api-key': ingestKey }
    await operator.call('POST', path, body, headers)
  }
}

/** Resolves when the names of the namespace's segments fulfil `isDone`; they are read again when the folder changes. */
async function untilSegments(folder: string, isDone: (names: readonly string[]) => boolean): Promise<void> {
  const watcher = watch(folder)
  const changes = on(watcher, 'change', { signal: AbortSignal.timeout(SEAL_DEADLINE_MS) })
  try {
    while (!isDone(await readdir(folder))) await changes.next()
  } finally {
    watcher.close()
  }
}

/** Stores a round of records; resolves when each kind has a new segment. */
async function seal(operator: Session, place: Place, folder: string, round: number): Promise<void> {
  const before = new Set(await readdir(folder))
  await send(operator, place, round)
  await untilSegments(folder, names => {
    const added = names.filter(name => name.endsWith('.parquet') && !before.has(name))
    return SEALED_KINDS.every(kind => added.some(name => name.startsWith(`${kind}-`)))
  })
}

/** Resolves when merged segments have their indexes. */
function indexed(folder: string): Promise<void> {
  return untilSegments(folder, names => ['.grams', '.traces'].every(ending => names.some(name => name.endsWith(ending))))
}

async function decide(operator: Session, { namespaceId }: Place): Promise<Readonly<Record<string, string>>> {
  const headers = { 'x-namespace-id': namespaceId }
  const path = '/api/v1/apm/errors?start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:00Z&limit=200'
  const { groups } = await operator.call<{ groups: readonly { fingerprint: string }[] }>('GET', path, undefined, headers)
  const decided: Record<string, string> = {}
  for (const [i, state] of ['ignored', 'resolved'].entries()) {
    const { fingerprint } = groups[i]!
    await operator.call('PUT', `/api/v1/apm/errors/${fingerprint}/state`, { state }, headers)
    decided[fingerprint] = state
  }
  return decided
}

async function fill(dataDir: string): Promise<Omit<Recording, 'responses' | 'commit'>> {
  const sealing = await start(dataDir, SEALING)
  const operator = await Session.operator(sealing)
  const place = await settle(operator, sealing.firstRun())
  const segments = join(dataDir, 'telemetry', 'segments', place.namespaceId)
  await mkdir(segments, { recursive: true })
  for (let round = 0; round < SEALED_ROUNDS; round++) await seal(operator, place, segments, round)
  await indexed(segments)
  const errorGroups = await decide(operator, place)
  await sealing.stop()
  const hot = await start(dataDir, KEEPING_HOT)
  await send(await Session.operator(hot), place, HOT_ROUND)
  // A read has everything applied that was acknowledged.
  await readAll(Session.withKey(hot.url, place.queryKey), readsOf(HOT_ROUND + 1))
  await kill(hot)
  const journal = await start(dataDir, KEEPING_IN_JOURNAL)
  await send(await Session.operator(journal), place, JOURNAL_ROUND)
  await kill(journal)
  return {
    namespaceId: place.namespaceId,
    people: place.people,
    queryKey: place.queryKey,
    keys: ['fixture ingest', 'fixture query'],
    errorGroups
  }
}

/** The responses of a copy of the folder; the folder itself stays as it was killed. */
async function responsesOf(dataDir: string, queryKey: string): Promise<Recording['responses']> {
  const copy = await openTempFolder()
  try {
    await cp(dataDir, copy.path, { recursive: true })
    const service = await start(copy.path, KEEPING_HOT)
    const responses = await readAll(Session.withKey(service.url, queryKey), readsOf(ROUNDS))
    await service.stop()
    return responses
  } finally {
    await copy.remove()
  }
}

const name = process.argv[2]
if (name === undefined || !/^[a-z0-9.-]+$/.test(name)) throw new Error('usage: npm run formats -- <name of the format>')
const folder = await openTempFolder()
try {
  const written = await fill(folder.path)
  for (const file of ['lock', 'admin.json']) await rm(join(folder.path, file), { force: true })
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  const recording: Recording = { commit, ...written, responses: await responsesOf(folder.path, written.queryKey) }
  await packFolder(name, folder.path, recording)
} finally {
  for (const service of started) await service.stop()
  await folder.remove()
}
