import type { Clock } from '../../ports/clock.js'
import type { Logger } from '../../ports/logger.js'
import { PromqlQuery } from '../../query/promql/promql-query.js'
import type { QuerySettings } from '../../query/settings.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { readRuleFile } from '../rule-files/read-rule-file.js'
import { type FileGroup, MAX_FILE_ERRORS, type RuleFile } from '../rule-files/rule-file.js'
import { readSloFile } from '../slo-files/read-slo-file.js'
import type { SloFile } from '../slo-files/slo-file.js'
import { InlinePromql } from '../rule-tests/inline-promql.js'
import { RuleTests } from '../rule-tests/rule-tests.js'
import { readTestFile } from '../rule-tests/test-file.js'
import { MAX_FAILURE_CHARS, MAX_FAILURES, type NamedFileError, type RuleJob, type RuleTestReport } from './rule-job.js'

/** What a job is run with. */
export interface RuleJobContext {
  readonly settings: QuerySettings
  readonly clock: Clock
  readonly logger: Logger
}

/** Runs a job on this thread: it blocks the event loop for as long as its files make it. */
export async function runRuleJob(job: RuleJob, context: RuleJobContext): Promise<RuleFile | SloFile | RuleTestReport> {
  const promql = new PromqlQuery({ ...context, metrics: { select: async () => [] }, threads: new InlinePromql() })
  const readPromql: ReadPromql = query => promql.parse(query)
  if (job.kind === 'read') return readRuleFile(job.text, readPromql)
  return job.kind === 'slos' ? readSloFile(job.text, readPromql) : runTests(job, readPromql, context)
}

async function runTests(
  { tests, files }: Extract<RuleJob, { kind: 'test' }>,
  readPromql: ReadPromql,
  context: RuleJobContext
): Promise<RuleTestReport> {
  const { file, errors } = readTestFile(tests)
  const found: NamedFileError[] = errors.map(error => ({ ...error, file: null }))
  const groups: FileGroup[] = []
  for (const name of file.ruleFiles) {
    const text = files.get(name)
    if (text === undefined) {
      const message = `rule_files names ${JSON.stringify(name)}, which is not one of the files that were sent`
      found.push({ file: null, line: 0, column: 0, message })
      continue
    }
    const read = readRuleFile(text, readPromql)
    found.push(...read.errors.map(error => ({ ...error, file: name })))
    groups.push(...read.groups)
  }
  const counted = { tests: file.tests.length }
  if (found.length > 0) return { ...counted, errors: found.slice(0, MAX_FILE_ERRORS), failures: [], omittedFailures: 0 }
  const run = new RuleTests({ ...context, threads: new InlinePromql() })
  const failures = await run.run(file, groups, new AbortController().signal)
  const shown = failures.slice(0, MAX_FAILURES).map(shortened)
  return { ...counted, errors: [], failures: shown, omittedFailures: failures.length - shown.length }
}

function shortened(failure: string): string {
  return failure.length > MAX_FAILURE_CHARS ? `${failure.slice(0, MAX_FAILURE_CHARS - 1)}…` : failure
}
