import type { FastifySchema, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import { Ajv } from 'ajv'

/** Bodies with at most this many values are searched for every fault; larger ones stop at the first. */
const SMALL_BODY_VALUES = 1_000

type Check = ((data: unknown) => boolean) & { errors?: FastifySchemaValidationError[] | null }

function countValues(data: unknown, limit: number): number {
  const pending: unknown[] = [data]
  let count = 0
  while (pending.length > 0 && count <= limit) {
    const value = pending.pop()
    count++
    if (typeof value !== 'object' || value === null) continue
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (inner.length > limit) return limit + 1
    for (const one of inner) pending.push(one)
  }
  return count
}

/**
 * Compiles route schemas with ajv: text from the URL is coerced to the declared type, bodies are taken as they are.
 * `shared` are the schemas that routes name by `$ref`.
 */
export function createValidatorCompiler(shared: Readonly<Record<string, unknown>>): FastifySchemaCompiler<FastifySchema> {
  // Verbose: an unknown name is answered with the nearest that its schema has.
  const options = { strict: false, validateFormats: false, useDefaults: true, verbose: true } as const
  const first = new Ajv(options)
  const every = new Ajv({ ...options, allErrors: true })
  const url = new Ajv({ ...options, allErrors: true, coerceTypes: 'array' })
  for (const ajv of [first, every, url]) for (const schema of Object.values(shared)) ajv.addSchema(schema as object)

  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') return url.compile(schema) as Check
    const quick = first.compile(schema) as Check
    const thorough = every.compile(schema) as Check
    // All faults of a hostile body (an array of a million wrong items) would fill the memory.
    return (data: unknown) => {
      if (quick(data)) return { value: data }
      if (countValues(data, SMALL_BODY_VALUES) > SMALL_BODY_VALUES) return { error: quick.errors ?? [] }
      thorough(data)
      return { error: thorough.errors ?? [] }
    }
  }
}
