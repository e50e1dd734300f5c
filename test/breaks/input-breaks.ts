import type { Break } from './break.js'

const BODIES = 'test/api/ingest-bodies\\.test'
const FIELDS = 'test/unit/ingest/parse-log\\.test'

/** Promises about hostile input. */
export const HOSTILE_INPUT: readonly Break[] = [
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
    promise: 'half of a surrogate pair is not text',
    file: 'src/wire/json/lossless-json.ts',
    find: "if (typeof value === 'string') return value.toWellFormed()",
    replace: "if (typeof value === 'string') return value",
    tests: BODIES
  }
]
