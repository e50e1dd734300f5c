/** Sections of time inside a trace: which parts of a bar are dark, and which are underlined. Pure. */

import type { TreeSpan } from './span-tree.js'

/** Milliseconds since the start of the trace; `endMs` is after `startMs`. */
export interface Section {
  readonly startMs: number
  readonly endMs: number
}

/** Sections in order of their start, those closer than `gapMs` joined: a bar has few pixels. */
export function joined(sections: readonly Section[], gapMs: number): readonly Section[] {
  const result: { startMs: number; endMs: number }[] = []
  for (const { startMs, endMs } of sections.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = result.at(-1)
    if (last && startMs - last.endMs <= gapMs) last.endMs = Math.max(last.endMs, endMs)
    else result.push({ startMs, endMs })
  }
  return result
}

/** The sections of a span in which none of its children runs; those shorter than `gapMs` are left out, unless it has no children. */
export function selfSections(tree: readonly TreeSpan[], span: TreeSpan, gapMs: number): readonly Section[] {
  const endMs = span.startMs + span.durationMs
  if (span.end === span.index + 1) return [{ startMs: span.startMs, endMs }]
  const children: Section[] = []
  for (let index = span.index + 1; index < span.end; index = tree[index]!.end) {
    const child = tree[index]!
    children.push({ startMs: child.startMs, endMs: child.startMs + child.durationMs })
  }
  const sections: Section[] = []
  let at = span.startMs
  for (const child of joined(children, gapMs)) {
    if (child.startMs - at > gapMs) sections.push({ startMs: at, endMs: Math.min(child.startMs, endMs) })
    at = Math.max(at, child.endMs)
  }
  if (endMs - at > gapMs) sections.push({ startMs: at, endMs })
  return sections.filter(section => section.endMs > section.startMs)
}

/** A part of a trace as shares of its duration, from 0 to 1. */
export interface View {
  readonly from: number
  readonly to: number
}

/** The whole trace. */
export const WHOLE: View = { from: 0, to: 1 }

/** A narrower view cannot be read. */
const MIN_SHARE = 0.000_1

/** A view from two shares in any order, inside the trace and not too narrow to be read. */
export function viewBetween(a: number, b: number): View {
  const from = Math.max(0, Math.min(a, b, 1 - MIN_SHARE))
  return { from, to: Math.min(1, Math.max(a, b, from + MIN_SHARE)) }
}

/** A view of the same width, moved by a share of the trace and kept inside it. */
export function moved({ from, to }: View, by: number): View {
  const shift = Math.max(-from, Math.min(1 - to, by))
  return { from: from + shift, to: to + shift }
}

/** Where a section of the trace is in a view: left edge and width in percent of the view; null when outside. */
export function placed(section: Section, traceMs: number, view: View): { readonly left: number; readonly width: number } | null {
  const total = traceMs > 0 ? traceMs : 1
  const start = (section.startMs / total - view.from) / (view.to - view.from)
  const end = (section.endMs / total - view.from) / (view.to - view.from)
  if (end < 0 || start > 1) return null
  const left = Math.max(0, start)
  return { left: left * 100, width: (Math.min(1, end) - left) * 100 }
}
