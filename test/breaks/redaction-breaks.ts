import type { Break } from './break.js'

const DOORS = 'test/api/log-redaction\\.test'
const RULES = 'test/api/log-rules\\.test'
const LINEAR = 'test/unit/ingest/redact/linear-time\\.test'
const VECTORS = 'test/unit/ingest/redact/secret-vectors\\.test'

/** Promises about log rules. */
export const REDACTION: readonly Break[] = [
  {
    promise: 'logs are redacted before they are stored',
    file: 'src/ingest/check-records.ts',
    find: 'const redacted = rules.redact(item)',
    replace: 'const redacted = item',
    tests: DOORS
  },
  {
    promise: 'a secret is found before its message is cut',
    file: 'src/ingest/item-check.ts',
    find: 'return redact !== null && isLonger(text, limitBytes) ? redact(text) : text',
    replace: 'return text',
    tests: RULES
  },
  {
    promise: 'events of spans are redacted',
    file: 'src/ingest/redact/redact-records.ts',
    find: 'events: span.events.map(event => redactEvent(event, redaction)),',
    replace: 'events: span.events,',
    tests: DOORS
  },
  {
    promise: 'names of members are redacted',
    file: 'src/ingest/redact/redaction.ts',
    find: 'const name = this.text(key)',
    replace: 'const name = key',
    tests: RULES
  },
  {
    promise: 'what a refusal repeats is redacted',
    file: 'src/ingest/check-records.ts',
    find: 'if (rules === null) return refused',
    replace: 'return refused',
    tests: RULES
  },
  {
    promise: 'literals are sealed in the control database',
    file: 'src/access/sealed-log-rules.ts',
    find: 'this.#box.seal(contextOf(ns), JSON.stringify(rules))',
    replace: 'JSON.stringify(rules)',
    tests: DOORS
  },
  {
    promise: 'a card number has a valid check digit',
    file: 'src/ingest/redact/card.ts',
    find: 'return sum % 10 === 0',
    replace: 'return true',
    tests: VECTORS
  },
  {
    promise: 'a part of a JSON Web Token is not looked at twice',
    file: 'src/ingest/redact/token.ts',
    find: 'if (at < lookedTo || ',
    replace: 'if (',
    tests: LINEAR
  },
  {
    promise: 'dropped logs are counted',
    file: 'src/ingest/rules/rule-pass.ts',
    find: '    this.#droppedCount++\n',
    replace: '',
    tests: RULES
  }
]
