import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { InlinePromql } from '../alerting/rule-tests/inline-promql.js'
import { RuleTests } from '../alerting/rule-tests/rule-tests.js'
import { readTestFile } from '../alerting/rule-tests/test-file.js'
import { readRuleFile } from '../alerting/rule-files/read-rule-file.js'
import type { FileGroup, RuleFile } from '../alerting/rule-files/rule-file.js'
import type { FileError } from '../alerting/rule-files/yaml-node.js'
import { PromqlQuery } from '../query/promql/promql-query.js'
import { DEFAULT_QUERY_SETTINGS } from '../query/settings.js'
import type { Logger } from '../ports/logger.js'
import { systemClock } from '../telemetry/system-clock.js'

/** What a command reports of a file: lines for a terminal, and whether all is well. */
export interface FileReport {
  readonly isGood: boolean
  readonly lines: readonly string[]
}

const QUIET: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
const PROMQL_DEPS = {
  clock: systemClock,
  settings: DEFAULT_QUERY_SETTINGS,
  threads: new InlinePromql()
}

function parsed(text: string): RuleFile {
  const promql = new PromqlQuery({ ...PROMQL_DEPS, metrics: { select: async () => [] } })
  return readRuleFile(text, query => promql.parse(query))
}

function shown(file: string, { line, column, message }: FileError): string {
  return line === 0 ? `${file}: ${message}` : `${file}: ${line}:${column}: ${message}`
}

/** Checks a rule file, as `promtool check rules`. */
export async function checkRuleFile(path: string): Promise<FileReport> {
  const { groups, errors } = parsed(await readFile(path, 'utf8'))
  if (errors.length > 0) return { isGood: false, lines: ['  FAILED:', ...errors.map(error => shown(path, error)), ''] }
  const count = groups.reduce((sum, { rules }) => sum + rules.length, 0)
  return { isGood: true, lines: [`  SUCCESS: ${count} rules found`, ''] }
}

/** Runs the tests of a file, as `promtool test rules`. Paths of rule files are relative to it. */
export async function runRuleTests(path: string): Promise<FileReport> {
  const { file, errors } = readTestFile(await readFile(path, 'utf8'))
  const failures = errors.map(error => shown(path, error))
  const lines: string[] = []
  const groups: FileGroup[] = []
  if (failures.length === 0)
    for (const pattern of file.ruleFiles) {
      const files = await matchingFiles(isAbsolute(pattern) ? pattern : join(dirname(path), pattern))
      if (files.length === 0) lines.push(`  WARNING: no file match pattern ${pattern}`)
      for (const ruleFile of files) {
        const found = parsed(await readFile(ruleFile, 'utf8'))
        failures.push(...found.errors.map(error => shown(ruleFile, error)))
        groups.push(...found.groups)
      }
    }
  if (failures.length === 0) {
    const tests = new RuleTests({ ...PROMQL_DEPS, logger: QUIET })
    failures.push(...(await tests.run(file, groups, new AbortController().signal)))
  }
  if (failures.length === 0) return { isGood: true, lines: [...lines, '  SUCCESS', ''] }
  return { isGood: false, lines: [...lines, '  FAILED:', ...failures.flatMap(failure => [failure, '']), ''] }
}

/** Files that match a path whose last part may contain `*` and `?`. */
async function matchingFiles(path: string): Promise<readonly string[]> {
  const pattern = basename(path)
  const folder = dirname(path)
  const names = await readdir(folder).catch((): string[] => [])
  if (!/[*?]/.test(pattern)) return names.includes(pattern) ? [path] : []
  const literal = pattern.replaceAll(/[\\.+()|[\]{}^$]/g, '\\$&')
  const regex = new RegExp(`^${literal.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`)
  return names
    .filter(name => regex.test(name))
    .sort()
    .map(name => join(folder, name))
}
