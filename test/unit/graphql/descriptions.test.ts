import { describe, expect, it } from '@jest/globals'
import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType
} from 'graphql'
import { createSchema } from '../../../schema/build.js'

interface Described {
  readonly name: string
  readonly description: string | null | undefined
}

/** Every type of the schema with its fields, arguments and values, under the names `Type`, `Type.field`, `Type.field(argument:)`. */
function* describedNames(schema: GraphQLSchema): Generator<Described> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue
    const { name, description } = type
    yield { name, description }
    if (isEnumType(type)) for (const value of type.getValues()) yield { ...value, name: `${name}.${value.name}` }
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) yield { ...field, name: `${name}.${field.name}` }
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      yield { ...field, name: `${name}.${field.name}` }
      for (const arg of field.args) yield { ...arg, name: `${name}.${field.name}(${arg.name}:)` }
    }
  }
}

/** The words of a name or a sentence: `rootService` and "Root service." have the same. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(word => word !== '' && !['a', 'an', 'the', 'of', 'its', 'this'].includes(word))
}

describe('descriptions of the schema', () => {
  const all = [...describedNames(createSchema())]

  it('every type, field, argument and value has one', () => {
    expect(all.length).toBeGreaterThan(700)
    const missing = all.filter(({ description }) => description == null || description.trim() === '')
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('each is a sentence: a capital first, a full stop last', () => {
    const others = all.filter(({ description }) => !/^[\dA-Z`"-].*\.$/s.test(description ?? ''))
    expect(others.map(({ name, description }) => `${name}: ${description}`)).toEqual([])
  })

  it('none only repeats the name', () => {
    const repeated = all.filter(({ name, description }) => {
      const own = new Set(wordsOf(name))
      return wordsOf(description ?? '').every(word => own.has(word))
    })
    expect(repeated.map(({ name, description }) => `${name}: ${description}`)).toEqual([])
  })
})
