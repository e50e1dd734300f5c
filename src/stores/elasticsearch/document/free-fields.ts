import { flatten } from '../../../domain/flatten.js'
import type { FlatObject, FlatValue, JsonObject } from '../../../domain/json.js'
import { parseNumericText } from '../../../domain/number-text.js'
import { isWholeTerm, WHOLE_TERM_BYTES } from './exact-term.js'
import { PLACES, SLOT_COUNT, SLOTS, slotOf, termPrefix, valueTerm, type Place, sortableNumber } from './free-field-terms.js'
import { CUT, NUMBERS } from './field-names.js'

type Scalar = string | number | boolean

/** What terms begin with: as it is, and as JSON text without its quotes. */
interface TermPrefix {
  readonly plain: string
  readonly json: string
}

/** What the name of a field comes to; names repeat from record to record. */
interface NameTerms {
  readonly slot: number
  readonly prefixes: Readonly<Record<Place, TermPrefix>>
}

const MAX_KNOWN_NAMES = 4_096
const knownNames = new Map<string, NameTerms>()

function nameTerms(name: string): NameTerms {
  const known = knownNames.get(name)
  if (known) return known
  const prefixOf = (place: Place): TermPrefix => {
    const plain = termPrefix(name, place)
    return { plain, json: JSON.stringify(plain).slice(1, -1) }
  }
  const terms = {
    slot: slotOf(name),
    prefixes: { f: prefixOf('f'), t: prefixOf('t'), b: prefixOf('b'), e: prefixOf('e'), l: prefixOf('l') }
  }
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear()
  knownNames.set(name, terms)
  return terms
}

// The longest UTF-8 of one UTF-16 code unit.
const MAX_BYTES_PER_UNIT = 3

function isSurelyWhole(prefix: string, text: string): boolean {
  return (prefix.length + text.length) * MAX_BYTES_PER_UNIT <= WHOLE_TERM_BYTES
}

const NINE = 57

/** The number that a string spells. Most strings do not begin like one. */
function numberIn(text: string): number | null {
  return text === '' || text.charCodeAt(0) > NINE ? null : parseNumericText(text)
}

const EMPTY_SLOTS: readonly string[] = SLOTS.map(() => '')

/** Members of a document as JSON text: lists of terms by the fields that hold them. */
export class TermLists {
  readonly #slots: string[] = EMPTY_SLOTS.slice()
  #numbers = ''
  #cut = ''

  /** One value of a free field. */
  add({ slot, prefixes }: NameTerms, place: Place, value: Scalar): void {
    const prefix = prefixes[place]
    const text = typeof value === 'string' ? value : String(value)
    this.#slots[slot] += isSurelyWhole(prefix.plain, text)
      ? `,"${prefix.json}${typeof value === 'string' ? JSON.stringify(text).slice(1) : `${text}"`}`
      : this.#longTerm(prefix.plain, text)
    const number = typeof value === 'number' ? value : typeof value === 'string' ? numberIn(text) : null
    if (number !== null) this.#numbers += `,"${prefix.json}${sortableNumber(number)}"`
  }

  /** Notes that the values of a field (its name), or of a free one (its prefix), are not whole in their terms. */
  addCut(name: string): void {
    this.#cut += `,${JSON.stringify(name)}`
  }

  #longTerm(prefix: string, text: string): string {
    if (!isWholeTerm(prefix + text)) this.addCut(prefix)
    return `,${JSON.stringify(valueTerm(prefix, text))}`
  }

  /** `,"k0":[...]` and so on; empty without terms. */
  toJson(): string {
    let json = ''
    for (let slot = 0; slot < SLOT_COUNT; slot++) json += member(SLOTS[slot]!, this.#slots[slot]!)
    return json + member(NUMBERS, this.#numbers) + member(CUT, this.#cut)
  }
}

function member(name: string, list: string): string {
  return list === '' ? '' : `,"${name}":[${list.slice(1)}]`
}

function addValue(lists: TermLists, name: NameTerms, place: Place, value: FlatValue): void {
  if (value === null) return
  if (typeof value !== 'object') lists.add(name, place, value)
  else for (const item of value) addValue(lists, name, place, item)
}

function addObject(lists: TermLists, object: FlatObject, place: Place): void {
  for (const name in object) addValue(lists, nameTerms(name), place, object[name]!)
}

/** Distinct scalars by their strings. */
function scalarsOf(value: FlatValue | undefined, into = new Map<string, Scalar>()): ReadonlyMap<string, Scalar> {
  if (value === undefined || value === null) return into
  if (typeof value !== 'object') return into.set(String(value), value)
  for (const item of value) scalarsOf(item, into)
  return into
}

function addShared(lists: TermLists, name: string, ofFields: FlatValue, ofTags: FlatValue | undefined): void {
  const terms = nameTerms(name)
  const [fields, tags] = [scalarsOf(ofFields), scalarsOf(ofTags)]
  for (const [text, value] of fields) lists.add(terms, tags.has(text) ? PLACES.both : PLACES.log_fields, value)
  for (const [text, value] of tags) if (!fields.has(text)) lists.add(terms, PLACES.tags, value)
}

function valueAt(object: FlatObject, name: string): FlatValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function addBoth(lists: TermLists, fields: FlatObject, tags: FlatObject): void {
  for (const name in fields) addShared(lists, name, fields[name]!, valueAt(tags, name))
  for (const name in tags) if (!Object.hasOwn(fields, name)) addValue(lists, nameTerms(name), PLACES.tags, tags[name]!)
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

/** Adds the terms of a record's free fields; a document has each value once, wherever it occurs. */
export function addFreeFields(lists: TermLists, fields: JsonObject, tags: JsonObject): void {
  if (isEmpty(tags)) addObject(lists, flatten(fields), PLACES.log_fields)
  else if (isEmpty(fields)) addObject(lists, flatten(tags), PLACES.tags)
  else addBoth(lists, flatten(fields), flatten(tags))
}

/** Adds the terms of the attributes of events or links; a document has each value once. */
export function addAttributes(lists: TermLists, objects: readonly JsonObject[], place: Place): void {
  const known = new Map<string, Map<string, Scalar>>()
  for (const object of objects) {
    const flat = flatten(object)
    for (const name in flat) {
      const values = known.get(name) ?? new Map<string, Scalar>()
      known.set(name, values)
      scalarsOf(flat[name], values)
    }
  }
  for (const [name, values] of known) {
    const terms = nameTerms(name)
    for (const value of values.values()) lists.add(terms, place, value)
  }
}

/** `,"name":{...}` of an object as it was sent; nothing for an empty one. */
export function objectMember(name: string, object: JsonObject): string {
  return isEmpty(object) ? '' : `,"${name}":${JSON.stringify(object)}`
}
