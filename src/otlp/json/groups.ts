import { parseJson } from '../../ingest/lossless-json.js'
import { MalformedOtlp, type OtlpResource, type OtlpScope } from '../model.js'
import { RECORDS_PER_TURN, type Steps, TooManyRecords } from '../steps.js'
import { asMessage, attributesIn, type Message, messageIn, messagesIn, textIn } from './values.js'

/** Names of the three levels of a signal's request. */
export interface GroupNames {
  readonly resources: 'resourceLogs' | 'resourceMetrics' | 'resourceSpans'
  readonly scopes: 'scopeLogs' | 'scopeMetrics' | 'scopeSpans'
  readonly records: 'logRecords' | 'metrics' | 'spans'
}

function parse(body: Buffer): Message {
  try {
    return asMessage(parseJson(body), 'the body')
  } catch (error) {
    if (error instanceof MalformedOtlp) throw error
    throw new MalformedOtlp('the body is not JSON')
  }
}

/** Reads an `Export*ServiceRequest` in steps; `read` adds what a record holds. Throws `MalformedOtlp`, `TooManyRecords`. */
export function* readJsonGroups<Item>(
  body: Buffer,
  maxRecords: number,
  names: GroupNames,
  read: (record: Message, scope: OtlpScope, into: Item[]) => void
): Steps<Item> {
  const items: Item[] = []
  let count = 0
  for (const [record, scope] of recordsOf(parse(body), names)) {
    read(record, scope, items)
    if (items.length > maxRecords) throw new TooManyRecords(maxRecords)
    if (++count % RECORDS_PER_TURN === 0) yield
  }
  return items
}

function* recordsOf(request: Message, names: GroupNames): Generator<readonly [Message, OtlpScope]> {
  for (const group of messagesIn(request, names.resources)) {
    const attributes = attributesIn(messageIn(group, 'resource') ?? {}, 'attributes')
    const resource = { attributes, schemaUrl: textIn(group, 'schemaUrl') }
    for (const inner of messagesIn(group, names.scopes)) {
      const scope = scopeOf(messageIn(inner, 'scope') ?? {}, resource)
      for (const record of messagesIn(inner, names.records)) yield [record, scope]
    }
  }
}

function scopeOf(own: Message, resource: OtlpResource): OtlpScope {
  return { resource, name: textIn(own, 'name'), version: textIn(own, 'version'), attributes: attributesIn(own, 'attributes') }
}
