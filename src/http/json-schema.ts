import type { FastifyInstance, FastifyTypeProvider } from 'fastify'
import type { Static, TSchema as Schema, TUnsafe as Typed } from 'typebox'

// JSON schemas of requests and replies that carry the TypeScript type of what they describe (docs/adr/0053). TypeBox
// derives the types; nothing of it is loaded at run time, and the schemas are emitted as they are written.

/** `Static`: the type of what a schema describes. `Schema`: any schema. `Typed`: a schema that names its type. */
export type { Static, TSchema as Schema, TUnsafe as Typed } from 'typebox'

/** Schemas of the members of an object, by name. */
export type Members = Readonly<Record<string, Schema>>

/** An object with all of these members. */
export type All<P extends Members> = { readonly [K in keyof P]: Static<P[K]> }

/** An object with some of these members. */
export type Some<P extends Members> = { readonly [K in keyof P]?: Static<P[K]> }

/** An object that has at least the members `R`. */
export type AtLeast<P extends Members, R extends keyof P> = All<Pick<P, R>> & Some<Omit<P, R>>

/** States what a schema accepts where it is made of parts that TypeBox cannot read. */
export function typed<T>(schema: object): Typed<T> {
  return schema as Typed<T>
}

/** A string. */
export const TEXT = { type: 'string' } as const
/** A string or null. */
export const NULLABLE_TEXT = { type: ['string', 'null'] } as const
/** A boolean. */
export const FLAG = { type: 'boolean' } as const
/** A number. */
export const NUMBER = { type: 'number' } as const
/** A number or null. */
export const NULLABLE_NUMBER = { type: ['number', 'null'] } as const
/** A whole number from 0. */
export const COUNT = { type: 'integer', minimum: 0 } as const

/** An object of a reply that has all these members. */
export function object<P extends Members>(properties: P, options: object = {}): Typed<All<P>> {
  return typed({ type: 'object', ...options, required: Object.keys(properties), properties })
}

/** An object of a reply that always has the members `required`. */
export function objectWith<P extends Members, R extends keyof P & string>(
  required: readonly R[],
  properties: P
): Typed<AtLeast<P, R>> {
  return typed({ type: 'object', required, properties })
}

/** An object of a request that may have these members and no others, such as a query string. */
export function optional<P extends Members>(properties: P, options: object = {}): Typed<Some<P>> {
  return typed({ type: 'object', additionalProperties: false, ...options, properties })
}

/** A body that may have these members and no others, and may be null. */
export function optionalBody<P extends Members>(properties: P): Typed<Some<P> | null> {
  return objectOrNull(optional(properties))
}

/** A body that must have the members `required`, and has no others than these. */
export function requiring<P extends Members, R extends keyof P & string>(
  required: readonly R[],
  properties: P
): Typed<AtLeast<P, R>> {
  return typed({ type: 'object', required, additionalProperties: false, properties })
}

/** An array. */
export function list<S extends Schema>(items: S, options: object = {}): Typed<readonly Static<S>[]> {
  return typed({ type: 'array', ...options, items })
}

/** A list, or null. */
export function listOrNull<S extends Schema>(items: S, options: object = {}): Typed<readonly Static<S>[] | null> {
  return typed({ type: ['array', 'null'], ...options, items })
}

/** The documented reply of this shape. */
export function described<S extends Schema>(description: string, schema: S): Typed<Static<S>> {
  return typed({ description, ...schema })
}

/** A reply that its handler writes itself, as JSON text. */
export function written(schema: Schema): Typed<string> {
  return typed(schema)
}

/** A value of one schema or of the other. */
export function anyOf<A extends Schema, B extends Schema>(a: A, b: B): Typed<Static<A> | Static<B>> {
  return typed({ anyOf: [a, b] })
}

/** A value or null. */
export function orNull<S extends Schema>(schema: S): Typed<Static<S> | null> {
  return typed({ anyOf: [schema, { type: 'null' }] })
}

/** An object or null, in the short form. */
export function objectOrNull<S extends Schema>(schema: S): Typed<Static<S> | null> {
  return typed({ ...schema, type: ['object', 'null'] })
}

/** Derives the types of parameters, query strings and bodies from the schema of a route. */
interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends Schema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends Schema ? Static<this['schema']> : unknown
}

/** The server whose handlers know their requests by the schema of the route. */
export function typedRoutes(app: FastifyInstance) {
  return app.withTypeProvider<SchemaTypes>()
}
