import { templateText } from '../../src/domain/log-pattern.js'
import type { LabelledLogs } from './labelled-logs.js'
import type { Mined } from './mine.js'

function groups(labels: readonly string[]): Map<string, number[]> {
  const byLabel = new Map<string, number[]>()
  for (let i = 0; i < labels.length; i++) {
    const group = byLabel.get(labels[i]!)
    if (group === undefined) byLabel.set(labels[i]!, [i])
    else group.push(i)
  }
  return byLabel
}

/**
 * Share of the lines whose group has exactly the lines of their event: the grouping accuracy of Zhu et al., "Tools and
 * Benchmarks for Automated Log Parsing".
 */
export function groupingAccuracy(ids: readonly string[], events: readonly string[]): number {
  const trueGroups = groups(events)
  let right = 0
  for (const lines of groups(ids).values()) {
    const event = events[lines[0]!]!
    if (trueGroups.get(event)!.length === lines.length && lines.every(line => events[line] === event)) right += lines.length
  }
  return right / ids.length
}

const PLACEHOLDER = /<[a-z*]+>/g
const JOINED = /(?:[/-]?<\*>[-:./,_ ]*)+(?=<\*>)|\/(?=<\*>)/g

/** A template whose neighbouring variable parts are one: `<ip>` here is `<*>:<*>` or `/<*>:<*>` there. */
function plain(template: string): string {
  return template.replaceAll(PLACEHOLDER, '<*>').replaceAll(JOINED, '').replaceAll(/\s+/g, ' ').trim()
}

/** Share of the lines whose template has the constant parts of their true template: parsing accuracy. */
export function parsingAccuracy(mined: Mined, logs: LabelledLogs): number {
  let right = 0
  for (let i = 0; i < mined.ids.length; i++) {
    const pattern = mined.patterns.get(mined.ids[i]!)
    if (pattern !== undefined && plain(templateText(pattern)) === plain(logs.templates[i]!)) right++
  }
  return right / mined.ids.length
}

/** Share of the lines with the same id in both. */
export function sameIds(first: readonly string[], second: readonly string[]): number {
  let same = 0
  for (let i = 0; i < first.length; i++) if (first[i] === second[i]) same++
  return same / first.length
}
