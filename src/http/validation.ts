import type { FastifySchema, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { AnySchemaObject, Options } from 'ajv'
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

/** Compiling the schemas of all routes is a fifth of a start, so each is compiled when it is requested. */
function onUse<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * Compiles route schemas with ajv: text from the URL is coerced to the declared type, bodies are taken as they are.
 * `shared` are the schemas that routes name by `$ref`.
 */
export function createValidatorCompiler(shared: Readonly<Record<string, unknown>>): FastifySchemaCompiler<FastifySchema> {
  // Verbose: the error for an unknown name suggests the nearest that its schema has.
  const common = { strict: false, validateFormats: false, useDefaults: true, verbose: true } as const
  const compiler = (options: Options): ((schema: FastifySchema) => () => Check) => {
    const ajv = onUse(() => new Ajv({ ...common, ...options, schemas: Object.values(shared) as AnySchemaObject[] }))
    return schema => onUse(() => ajv().compile(schema) as Check)
  }
  const first = compiler({})
  const every = compiler({ allErrors: true })
  const url = compiler({ allErrors: true, coerceTypes: 'array' })

  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') {
      const check = url(schema)
      return (data: unknown) => (check()(data) ? { value: data } : { error: check().errors ?? [] })
    }
    const quick = first(schema)
    const thorough = every(schema)
    // All faults of a hostile body (an array of a million wrong items) would fill the memory.
    return (data: unknown) => {
      if (quick()(data)) return { value: data }
      if (countValues(data, SMALL_BODY_VALUES) > SMALL_BODY_VALUES) return { error: quick().errors ?? [] }
      thorough()(data)
      return { error: thorough().errors ?? [] }
    }
  }
}
