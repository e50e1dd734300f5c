import { IMPORT_CHANGES } from '../../alerting/rules/import-plan.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_TEXT,
  object,
  optional,
  requiring,
  type Static,
  TEXT,
  typed
} from '../json-schema.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const READ = { tags: ['alerts'], security: READ_SECURITY, headers: READ_HEADERS }
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
const CHANGE = { type: 'string', enum: IMPORT_CHANGES } as const

const IMPORTED = object({
  dry_run: FLAG,
  rules: { ...object({ created: COUNT, changed: COUNT, unchanged: COUNT, removed: COUNT }), description: 'Rules by change.' },
  groups: list(
    object({
      name: TEXT,
      change: CHANGE,
      rules: list(object({ kind: { type: 'string', enum: ['alert', 'record'] } as const, name: TEXT, change: CHANGE }))
    })
  )
})
/** What an import did, in a response. */
export type ImportReply = Static<typeof IMPORTED>

/** `POST /api/v1/alerts/rules/import`. */
export const IMPORT_RULES = {
  ...READ,
  security: [{ session: [] }],
  operationId: 'importAlertRules',
  querystring: NAMESPACE,
  body: requiring(['file'], {
    file: { ...TEXT, description: 'A rule file of Prometheus: YAML, at most 512 KiB.' },
    dry_run: { ...FLAG, description: 'Reports the changes without storing them; default false.' }
  }),
  response: { 200: described('How each group and rule of the file was handled.', IMPORTED) }
}

/** `GET /api/v1/alerts/rules/export`. */
export const EXPORT_RULES = {
  ...READ,
  operationId: 'exportAlertRules',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    group: { type: 'array', items: TEXT, description: 'Only groups of these names; repeatable.' } as const
  }),
  response: { 200: { description: 'A rule file of Prometheus.', content: { 'application/yaml': { schema: TEXT } } } }
}

const FILES = typed<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT, maxProperties: 50 })

const TESTED = object({
  ok: { ...FLAG, description: 'Whether all files could be read and all tests passed.' },
  tests: { ...COUNT, description: 'Tests in the file.' },
  failures: list(TEXT, { description: 'In the words of promtool; at most 100, each of at most 2,000 characters.' }),
  omitted_failures: COUNT,
  errors: list(object({ file: NULLABLE_TEXT, line: COUNT, column: COUNT, detail: TEXT }), {
    description: 'Why files cannot be read; `file` is null for the test file, `line` is 0 without a place.'
  })
})
/** The outcome of tests in a response. */
export type RuleTestsReply = Static<typeof TESTED>

/** `POST /api/v1/alerts/test`. */
export const TEST_RULES = {
  ...READ,
  operationId: 'testAlertRules',
  querystring: NAMESPACE,
  body: requiring(['tests'], {
    tests: { ...TEXT, description: 'A test file in the format of `promtool test rules`: YAML, at most 512 KiB.' },
    files: { ...FILES, description: 'Rule files by the names that `rule_files` has. Absent: `rule_files` is empty.' }
  }),
  response: { 200: described('The outcome of the tests.', TESTED) }
}
