import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { buildSchema, parse, validate, validateSchema } from 'graphql'
import { createSchema, printSorted } from '../../../schema/build.js'
import { loadOperations } from '../../../src/http/graphql-operations.js'
import { SANDBOX_EXAMPLES } from '../../../src/http/sandbox-examples.js'
import { generateClient } from '../../support/client-code.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

describe('committed files of the schema', () => {
  it('schema/schema.graphql is what the code builds (npm run schema)', () => {
    expect(read('schema/schema.graphql')).toBe(printSorted(createSchema()))
  })

  it('the schema keeps the rules of GraphQL (a start does not check them)', () => {
    expect(validateSchema(createSchema())).toEqual([])
  })

  it('the typed operations are what codegen.yml generates (npm run codegen)', async () => {
    const files = await generateClient(ROOT)
    expect([...files.keys()]).toContain('test/fixtures/generated/graphql.ts')
    for (const [path, content] of files) expect(read(path)).toBe(content)
  })

  it('persisted operations and examples are valid against the schema', () => {
    const schema = buildSchema(read('schema/schema.graphql'))
    const strings = [...loadOperations().values(), ...SANDBOX_EXAMPLES.map(({ query }) => query)]
    for (const text of strings) expect(validate(schema, parse(text)).map(error => error.message)).toEqual([])
  })

  it('telemetry root fields are nullable, so that one failing panel leaves its neighbors', () => {
    const query = buildSchema(read('schema/schema.graphql')).getQueryType()!.getFields()
    const strict = Object.values(query)
      .filter(({ type }) => String(type).endsWith('!'))
      .map(({ name }) => name)
    // validateQuery reads no store.
    expect(strict).toEqual(['namespace', 'validateQuery', 'viewer'])
  })
})
