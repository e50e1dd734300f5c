import type { Break } from './break.js'

const SCRUB = 'test/stores/duckdb-scrub\\.test'
const SECRETS = 'test/access/secrets-key\\.test'
const NAMES = 'test/access/forgotten-names\\.test'

/** Promises about deleted and secret bytes on the disk. */
export const BYTES_ON_DISK: readonly Break[] = [
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
  },
  {
    promise: 'no pattern is found in deleted logs',
    file: 'src/stores/duckdb/segments/pattern-assignment.ts',
    find: 'WHERE pattern_id IS NULL AND ts >= ${markNs}`',
    replace: 'WHERE pattern_id IS NULL`',
    tests: 'test/stores/duckdb-pattern-assignment\\.test'
  }
]
