import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ImportReport, RuleImport } from '../../alerting/rules/rule-import.js'
import type { RuleTestReport } from '../../alerting/rule-work/rule-job.js'
import type { RuleThreads } from '../../alerting/rule-work/rule-threads.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { typedRoutes } from '../json-schema.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { EXPORT_RULES, IMPORT_RULES, type ImportReply, type RuleTestsReply, TEST_RULES } from './rule-files-schemas.js'

/** Dependencies of `ruleFilesRoutes`. */
export interface RuleFilesDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly ruleImport: RuleImport
  readonly ruleThreads: Pick<RuleThreads, 'run'>
}

/** Bytes of a body with files, as JSON. */
const BODY_BYTES = 1024 * 1024
const YAML_TYPE = 'application/yaml; charset=utf-8'

function importJson({ groups, counts, isDryRun }: ImportReport): ImportReply {
  return {
    dry_run: isDryRun,
    rules: counts,
    groups: groups.map(({ change, content, rules }) => ({
      name: content.name,
      change,
      rules: rules.map(({ kind, name, change: ofRule }) => ({ kind, name, change: ofRule }))
    }))
  }
}

function testsJson({ tests, failures, omittedFailures, errors }: RuleTestReport): RuleTestsReply {
  return {
    ok: failures.length === 0 && errors.length === 0,
    tests,
    failures,
    omitted_failures: omittedFailures,
    errors: errors.map(({ file, line, column, message: detail }) => ({ file, line, column, detail }))
  }
}

/** Registers the import, the export and the tests of rule files. */
export function ruleFilesRoutes(app: FastifyInstance, deps: RuleFilesDeps): void {
  const routes = typedRoutes(app)
  const { ruleImport, ruleThreads, authenticator } = deps
  const bodyLimit = BODY_BYTES
  routes.post('/api/v1/alerts/rules/import', { schema: IMPORT_RULES, bodyLimit }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async (namespace, signal) => {
      const { file, dry_run: isDryRun = false } = req.body
      return importJson(await ruleImport.import(principal, namespace, { file, isDryRun }, signal))
    })
  })
  routes.get('/api/v1/alerts/rules/export', { schema: EXPORT_RULES }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => {
      const text = await ruleImport.export(namespace, req.query.group)
      void reply.type(YAML_TYPE)
      return text
    })
  )
  routes.post('/api/v1/alerts/test', { schema: TEST_RULES, bodyLimit }, async (req, reply) =>
    sendRead(req, reply, deps, async ({ id }, signal) => {
      const { tests, files = {} } = req.body
      const job = { kind: 'test', tests, files: new Map(Object.entries(files)) } as const
      return testsJson(await ruleThreads.run(id, job, signal))
    })
  )
}
