import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { JsonObject } from '../../../domain/json.js'
import { formatNs } from '../../../domain/timestamp.js'
import { exactTerm, isWholeTerm } from './exact-term.js'
import { EVENT_TERMS, FREE_OBJECTS, ID, LONG, NAMESPACE, TIME, type KnownField } from './field-names.js'
import type { Place } from './free-field-terms.js'
import { addAttributes, addFreeFields, objectMember, TermLists } from './free-fields.js'
import { trigrams } from './trigrams.js'

const NOTHING: JsonObject = Object.freeze({})

// JSON.stringify writes a lone surrogate as its escape; it is not valid Unicode, and engines differ in handling it. Every
// escape is taken as a whole, so that an escaped backslash before `ud800` is not mistaken for one.
const ESCAPE = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|[^])/g
const LONE_ESCAPE_LENGTH = 6

function withoutLoneSurrogates(json: string): string {
  if (!json.includes('\\ud')) return json
  return json.replace(ESCAPE, escape => (escape.length === LONE_ESCAPE_LENGTH ? '\\ufffd' : escape))
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const DECIMALS = 9
const UP_TO_SECONDS = 20
const QUOTES = 2
let lastSecond = ''
let lastPrefix = ''

/** As `formatNs`; records of one second share all but the decimals. The digits are cut as text: bigints are slow to divide. */
function timeText(ns: bigint): string {
  const digits = String(ns)
  if (ns < 0n || digits.length <= DECIMALS) return formatNs(ns)
  const second = digits.slice(0, -DECIMALS)
  if (second !== lastSecond) {
    lastSecond = second
    lastPrefix = formatNs(ns).slice(0, UP_TO_SECONDS)
  }
  return `${lastPrefix}${digits.slice(-DECIMALS)}Z`
}

/** Writes the JSON of one document: the record as sent, and the terms by which it is found. */
export class DocumentWriter {
  #json: string
  #long = ''
  #trigrams = ''
  readonly #lists = new TermLists()
  readonly #hasTrigrams: boolean

  constructor(ns: NamespaceId, id: RecordId, timestampNs: bigint, hasTrigrams: boolean) {
    this.#json = `{"${TIME}":"${timeText(timestampNs)}","${ID}":"${id}","${NAMESPACE}":"${ns}"`
    this.#hasTrigrams = hasTrigrams
  }

  /** A well-known text, if there is one; records that an earlier version put into the spool lack what is new. */
  text({ field, trigrams: gramField }: KnownField, value: string | null | undefined): void {
    if (value === null || value === undefined) return
    const json = JSON.stringify(value)
    if (isWholeTerm(value)) this.#json += `,"${field}":${json}`
    else this.#longText(field, value, json)
    if (gramField === undefined || !this.#hasTrigrams || value === '') return
    // Nothing to escape in the text, nothing to escape in its trigrams.
    const isPlain = json.length === value.length + QUOTES
    this.#trigrams += `,"${gramField}":${isPlain ? `"${trigrams(value)}"` : JSON.stringify(trigrams(value))}`
  }

  /** A many-valued well-known text; its whole values are kept elsewhere. */
  strings({ field }: KnownField, values: readonly string[]): void {
    if (values.length === 0) return
    if (!values.every(isWholeTerm)) this.#lists.addCut(field)
    this.#json += `,"${field}":${JSON.stringify(values.map(exactTerm))}`
  }

  /** A well-known whole number. Readers of JSON lose the last digits of large ones: those are written as strings. */
  whole({ field }: KnownField, value: bigint): void {
    this.#json += value > MAX_SAFE ? `,"${field}":"${value}"` : `,"${field}":${value}`
  }

  /** A well-known number, if there is one; as `text`. */
  number({ field }: KnownField, value: number | null | undefined): void {
    if (value !== null && value !== undefined) this.#json += `,"${field}":${value}`
  }

  /** Something that is only kept; `value` is JSON text. */
  kept(name: string, value: string): void {
    this.#json += `,"${name}":${value}`
  }

  /** Free fields; `names` of the objects that keep them as they were sent. */
  free(fields: JsonObject | null, tags: JsonObject, names = FREE_OBJECTS.logs): void {
    this.#json += objectMember(names.log_fields, fields ?? NOTHING) + objectMember(names.tags, tags)
    addFreeFields(this.#lists, fields ?? NOTHING, tags)
  }

  /** Marks a document of which also the attributes of events and links have terms. */
  markEventTerms(): void {
    this.#lists.addCut(EVENT_TERMS)
  }

  /** Attributes of events or links, to be found only. */
  attributes(objects: readonly JsonObject[], place: Place): void {
    addAttributes(this.#lists, objects, place)
  }

  toJson(): string {
    const long = this.#long === '' ? '' : `,"${LONG}":{${this.#long.slice(1)}}`
    return withoutLoneSurrogates(`${this.#json}${long}${this.#trigrams}${this.#lists.toJson()}}`)
  }

  /** The members that an index does not give back, each after a comma; empty without terms. */
  termsJson(): string {
    return withoutLoneSurrogates(`${this.#trigrams}${this.#lists.toJson()}`)
  }

  #longText(field: string, value: string, json: string): void {
    this.#json += `,"${field}":${JSON.stringify(exactTerm(value))}`
    this.#long += `,"${field}":${json}`
    this.#lists.addCut(field)
  }
}
