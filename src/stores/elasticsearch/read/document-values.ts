import { exceptionsOf, stringsOf } from '../../../domain/span-exceptions.js'
import { flatten } from '../../../domain/flatten.js'
import type { Field } from '../../../domain/filter.js'
import type { FieldValues } from '../../../domain/match-filter.js'
import type { FlatValue, JsonObject } from '../../../domain/json.js'
import type { Position } from '../../../domain/search.js'
import { objectOf, textOf, type DocumentSource } from '../document/document-reader.js'
import {
  EVENTS,
  FREE_OBJECTS,
  ID,
  KNOWN_FIELDS,
  LINKS,
  LONG,
  TIME,
  type DocumentKind,
  type KnownField
} from '../document/field-names.js'
import { eventsOf, linksOf } from '../document/span-document.js'
import { parseRfc3339Ns } from '../../../domain/timestamp.js'

/** Where the record of a document is in the order of its kind. */
export function positionOf(source: DocumentSource): Position {
  return { timestampNs: parseRfc3339Ns(source[TIME] as string)!, id: source[ID] as Position['id'] }
}

function scalarStrings(value: FlatValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? value.flatMap(scalarStrings) : [String(value)]
}

function memberStrings(object: JsonObject, name: string): readonly string[] {
  const flat = flatten(object)
  return Object.hasOwn(flat, name) ? scalarStrings(flat[name]) : []
}

function knownValues(source: DocumentSource, known: KnownField): FieldValues {
  if (known.type === 'time') return { strings: [String(positionOf(source).timestampNs)], compares: 'time' }
  if (known.ofExceptions !== undefined)
    return { strings: stringsOf(exceptionsOf(eventsOf(source)), known.ofExceptions), compares: 'text' }
  if (known.type === 'number') return { strings: scalarStrings(source[known.field] as number | undefined), compares: 'number' }
  return { strings: scalarStrings(textOf(source, known)), compares: 'text' }
}

/** The objects of a document in which a free field is looked for. */
function objectsOf(source: DocumentSource, place: Field['in'], kind: DocumentKind): readonly JsonObject[] {
  const names = FREE_OBJECTS[kind]
  const isOf = (requested: Field['in']) => place === requested || place === 'free'
  const attributesOf = (items: readonly { readonly attributes: JsonObject }[]) => items.map(({ attributes }) => attributes)
  return [
    ...(isOf('log_fields') ? [objectOf(source, names.log_fields)] : []),
    ...(isOf('tags') ? [objectOf(source, names.tags)] : []),
    ...(kind === 'spans' && isOf('events') ? attributesOf(eventsOf(source)) : []),
    ...(kind === 'spans' && isOf('links') ? attributesOf(linksOf(source)) : [])
  ]
}

/** A field's values in a document. */
export function valuesOf(kind: DocumentKind): (source: DocumentSource, field: Field) => FieldValues {
  return (source, { in: place, name }) => {
    if (place === 'known') return knownValues(source, KNOWN_FIELDS[kind].get(name)!)
    return { strings: objectsOf(source, place, kind).flatMap(object => memberStrings(object, name)), compares: 'free' }
  }
}

function knownMember({ field, ofExceptions }: KnownField): string {
  return ofExceptions === undefined ? field : EVENTS
}

/** Members of the document that `valuesOf` needs for fields, and its place in the order. */
export function membersOf(fields: readonly Field[], kind: DocumentKind): readonly string[] {
  const members = new Set([TIME, ID, LONG])
  for (const { in: place, name } of fields) {
    if (place === 'known') members.add(knownMember(KNOWN_FIELDS[kind].get(name)!))
    if (place === 'log_fields' || place === 'free') members.add(FREE_OBJECTS[kind].log_fields)
    if (place === 'tags' || place === 'free') members.add(FREE_OBJECTS[kind].tags)
    if (kind === 'spans' && (place === 'events' || place === 'free')) members.add(EVENTS)
    if (kind === 'spans' && (place === 'links' || place === 'free')) members.add(LINKS)
  }
  return [...members]
}
