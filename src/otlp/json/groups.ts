import { parseJson } from '../../ingest/lossless-json.js'
import { MalformedOtlp, type OtlpScope } from '../model.js'
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

/** Reads an `Export*ServiceRequest`; `read` adds what a record holds. Throws `MalformedOtlp`. */
export function readJsonGroups<Item>(
  body: Buffer,
  names: GroupNames,
  read: (record: Message, scope: OtlpScope, into: Item[]) => void
): Item[] {
  const items: Item[] = []
  for (const group of messagesIn(parse(body), names.resources)) {
    const resource = {
      attributes: attributesIn(messageIn(group, 'resource') ?? {}, 'attributes'),
      schemaUrl: textIn(group, 'schemaUrl')
    }
    for (const inner of messagesIn(group, names.scopes)) {
      const own = messageIn(inner, 'scope') ?? {}
      const attributes = attributesIn(own, 'attributes')
      const scope = { resource, name: textIn(own, 'name'), version: textIn(own, 'version'), attributes }
      for (const record of messagesIn(inner, names.records)) read(record, scope, items)
    }
  }
  return items
}
