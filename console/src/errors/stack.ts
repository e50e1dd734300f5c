/** Stack traces as text, of any language: what is before the frames, and which frames are of the application. */

/** A line of a stack trace with the lines that explain it, for example the source line below a frame of Python. */
export interface StackFrame {
  readonly text: string
  readonly isOfApplication: boolean
}

/** An error of a stack trace: the first one, or one that caused it. */
export interface StackSection {
  readonly head: string
  readonly frames: readonly StackFrame[]
}

/** Longer traces are shown as sent. */
const MAX_LINES = 2_000

const FRAME = /^\s*(?:at\s+\S|File "|#\d+[:\s]|\d+:\s+\S|from\s+\S+:\d+)|^\s*\S+:\d+:in\s/
const CAUSE = /^(?:Caused by:|During handling of|The above exception|\s*\[cause\]:|--- End of inner)/
const LIBRARY = new RegExp(
  [
    String.raw`node_modules[/\\]|node:|\(internal/|<anonymous>|native code`,
    'site-packages|dist-packages|/lib/python|<frozen',
    String.raw`\bat (?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|org\.springframework|org\.apache|org\.eclipse|io\.netty|reactor)\.`,
    String.raw`\bat (?:System|Microsoft)\.`,
    String.raw`/gems/|/vendor/|/usr/lib/|/usr/local/|\.cargo/registry|/rustc/|\b(?:core|std|tokio)::`
  ].join('|')
)
/** Frames of Go are two lines, of which the first one looks like any text: such traces are shown as sent. */
const GOROUTINE = /^goroutine \d+ /m

/** The sections of a stack trace; null when its lines are not recognized, so that it is shown as sent. */
export function parseStack(text: string): readonly StackSection[] | null {
  const lines = text.split(/\r?\n/)
  if (lines.length > MAX_LINES || GOROUTINE.test(text)) return null
  const sections: { head: string[]; frames: string[] }[] = [{ head: [], frames: [] }]
  for (const line of lines) {
    const section = sections.at(-1)!
    if (CAUSE.test(line) && section.frames.length > 0) sections.push({ head: [line], frames: [] })
    else if (FRAME.test(line)) section.frames.push(line)
    else if (line.trim() === '') continue
    else if (section.frames.length === 0) section.head.push(line)
    else section.frames.push(`${section.frames.pop()!}\n${line}`)
  }
  if (sections.every(({ frames }) => frames.length === 0)) return null
  return sections.map(({ head, frames }) => ({
    head: head.join('\n'),
    frames: frames.map(frame => ({ text: frame, isOfApplication: !LIBRARY.test(frame) }))
  }))
}
