import { templateText } from '../../../../src/domain/log-pattern.js'
import { PatternMiner } from '../../../../src/ingest/patterns/pattern-miner.js'

/** The template of one message, alone. */
export function templateOf(message: string): string | null {
  const miner = new PatternMiner({ limit: 10, seed: 1 })
  const id = miner.idOf(message)
  const pattern = miner.drain().added.find(added => added.id === id)
  return pattern === undefined ? null : templateText(pattern)
}

/** Feeds messages to a miner and returns the template that each has in the end. */
export function templatesOf(messages: readonly string[], miner = new PatternMiner({ limit: 1000, seed: 1 })): string[] {
  const ids = messages.map(message => miner.idOf(message)!)
  const { added, merges } = miner.drain()
  const templates = new Map(added.map(pattern => [pattern.id, templateText(pattern)]))
  const into = new Map(merges.map(merge => [merge.id, merge.into]))
  return ids.map(id => {
    let current = id
    for (let next = into.get(current); next !== undefined; next = into.get(current)) current = next
    return templates.get(current)!
  })
}
