import type { Break } from './break.js'

const KILLS = 'test/crash/kill\\.test'
const SYNCS = 'test/crash/system-calls\\.test'

/** Promises about acknowledged records and the files of the embedded store. */
export const DURABILITY: readonly Break[] = [
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
    promise: 'a merge that failed is not listed next to a later one of the same segments',
    file: 'src/stores/duckdb/segments/adoption-plan.ts',
    find: ' || (await isInLater(member, sources, gone, sourcesOf))',
    replace: '',
    tests: 'test/unit/stores/adoption-plan\\.test'
  },
  {
    promise: 'a segment is distinguished from others by its rows where a later merge names its inputs',
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
    find: 'minNs < endNs && !damaged.has(name)',
    replace: "minNs < endNs && (name !== '' || !damaged.has(name))",
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
    promise: 'responses report that a journal file is missing',
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
    promise: 'a search that lacks a damaged segment reports it',
    file: 'src/stores/shared/gaps.ts',
    find: '{ ...result, complete: false, warnings',
    replace: '{ ...result, warnings',
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
    promise: 'a start without users is refused if there are records',
    file: 'src/stores/assemble/open.ts',
    find: '  if (choice.databaseUrl === null) await requireControlStore(dataDir)\n',
    replace: '',
    tests: 'test/api/lost-control\\.test'
  }
]
