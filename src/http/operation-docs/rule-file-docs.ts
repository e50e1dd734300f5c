import type { OperationDocs } from './operation-doc.js'

const FILE = `groups:
  - name: hosts
    interval: 1m
    rules:
      - alert: HostDown
        expr: up == 0
        for: 5m
`
const TESTS = `rule_files: [hosts.yml]
tests:
  - interval: 1m
    input_series:
      - series: 'up{instance="web-1"}'
        values: '0x10'
    alert_rule_test:
      - alertname: HostDown
        eval_time: 5m
        exp_alerts: [{exp_labels: {instance: web-1}}]
`

/** Operations about rule files of Prometheus. */
export const RULE_FILE_DOCS: OperationDocs = {
  importAlertRules: {
    summary: 'Import a rule file of Prometheus',
    description:
      'Groups of the file replace those of their names, all or none; other groups stay. Rules are the same by name: their alerts keep their states, and a second import changes nothing. A file that `promtool check rules` refuses is refused with all errors. Members only.',
    request: { file: FILE },
    reply: {
      dry_run: false,
      rules: { created: 1, changed: 0, unchanged: 0, removed: 0 },
      groups: [{ name: 'hosts', change: 'created', rules: [{ kind: 'alert', name: 'HostDown', change: 'created' }] }]
    }
  },
  exportAlertRules: {
    summary: 'Export rules as a rule file of Prometheus',
    description:
      'All groups, or those that `group` names. Prometheus reads the file unless rules have members of this service, such as `condition`.',
    reply: FILE
  },
  testAlertRules: {
    summary: 'Run unit tests of rules',
    description:
      'As `promtool test rules`: the files in the body are evaluated, nothing is stored. At most 1 MiB, 10 s, 256 MiB of memory, and one request of a namespace at a time.',
    request: { tests: TESTS, files: { 'hosts.yml': FILE } },
    reply: { ok: true, tests: 1, failures: [], omitted_failures: 0, errors: [] }
  }
}
