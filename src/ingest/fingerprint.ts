import { createHash } from 'node:crypto'

// Only so much of a string decides about its group; it also bounds the work.
const MAX_TEXT = 4096
const MAX_STACK = 32_768
const MAX_FRAMES = 5
const HASH_LENGTH = 32

/** Changing parts of a message, most specific first. All patterns are linear. */
const VARIABLES: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '*'],
  [/0x[0-9a-f]+/gi, '*'],
  [/"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`/g, '*'],
  [/[^\s@]{1,64}@[^\s@]{1,255}/g, '*'],
  [/\b(?=[a-f]{0,63}\d)[0-9a-f]{8,64}\b/gi, '*'],
  [/\d+(?:[.,:]\d+)*/g, '*'],
  [/\s+/g, ' ']
]

/** The message with its changing parts (ids, numbers, quoted strings, addresses) replaced by `*`. */
export function messageTemplate(message: string): string {
  let template = message.slice(0, MAX_TEXT)
  for (const [pattern, mark] of VARIABLES) template = template.replace(pattern, mark)
  return template.trim()
}

// `at f (file:1:2)` of JavaScript, Java and .NET, `f@file:1:2` of Firefox and Safari, `File "x", line 1, in f` of Python.
const FRAME = /^\s*at \S|^[^\s@]{0,200}@\S{1,500}:\d+|^\s*File "/
const PYTHON = 'Traceback (most recent call last)'
const POSITION = /:\d+(?::\d+)?(?=\)?\s*$)|, line \d+/g
// `main.3f2a1b9c.js`: the hash of a build is not a part of a frame's identity.
const BUILD_HASH = /[.-][0-9a-f]{6,64}(?=\.[a-z]{1,5}\b)/gi
const NUMBER = /\d+/g
const QUERY = /\?[^\s):]*/g

function frameTemplate(frame: string): string {
  return frame.slice(0, MAX_TEXT).trim().replace(POSITION, '').replace(QUERY, '').replace(BUILD_HASH, '').replace(NUMBER, '*')
}

/** The frames nearest to the error, without positions and numbers; none when the stack is in no known form. */
export function topFrames(stack: string): readonly string[] {
  const text = stack.length > MAX_STACK && stack.includes(PYTHON) ? stack.slice(-MAX_STACK) : stack.slice(0, MAX_STACK)
  const frames = text.split('\n').filter(line => FRAME.test(line.slice(0, MAX_TEXT)))
  // Python prints the innermost call last.
  const nearest = stack.includes(PYTHON) ? frames.slice(-MAX_FRAMES).toReversed() : frames.slice(0, MAX_FRAMES)
  return nearest.map(frameTemplate)
}

/**
 * The stable id of an error's group: a hash of service, type and the five stack frames nearest to the error; without
 * frames in a known form, of service, type and the message's template. Line numbers, ids and quoted values do not
 * count, so that a group outlives a release; the message does not count if there are frames.
 */
export function fingerprint(error: { service: string; type: string; message: string; stack: string | null }): string {
  const frames = error.stack === null ? [] : topFrames(error.stack)
  const basis = frames.length > 0 ? ['frames', ...frames] : ['message', messageTemplate(error.message)]
  const text = JSON.stringify([error.service, error.type, ...basis])
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
}
