import type { FileSource } from '../../agent/src/config/config.js'
import type { Line } from '../../agent/src/files/line-splitter.js'
import { eachItem } from '../../agent/src/parse/each-item.js'
import { itemJson } from '../../agent/src/parse/item-json.js'
import type { LogItem } from '../../agent/src/parse/log-item.js'

/** The records of lines, as they are sent. */
export function itemsOfLines(lines: readonly Line[], source: FileSource, sealedAtMs: number): readonly LogItem[] {
  const items: LogItem[] = []
  eachItem(lines, source, sealedAtMs, item => {
    items.push(JSON.parse(itemJson(item)) as LogItem)
  })
  return items
}
