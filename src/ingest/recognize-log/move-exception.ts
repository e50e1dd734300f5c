import type { MemberHit } from './find-hits.js'
import { EXCEPTION_OF_STACK } from './log-members.js'
import { compilePath, findMember, type PathStep } from './member-path.js'
import { isRawObject } from '../raw-object.js'

/** OpenTelemetry's names of an exception, as free fields. */
const STACKTRACE = 'exception.stacktrace'
const OWN_STACKTRACE = compilePath(STACKTRACE)

interface CompiledMembers {
  readonly type: readonly (readonly PathStep[])[]
  readonly message: readonly PathStep[]
}

const MEMBERS: ReadonlyMap<string, CompiledMembers> = new Map(
  Object.entries(EXCEPTION_OF_STACK).map(([path, { type, message }]) => [
    path,
    { type: type.map(compilePath), message: compilePath(message) }
  ])
)

/** Fields to add for an exception, and the member that its stack trace was read from. */
export interface MovedException {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** `full_message` of GELF is a longer message as often as a stack trace. */
function hasStack(text: string): boolean {
  return (
    text.includes('\n') &&
    (text.includes('Traceback (most recent call last)') || text.includes('\n    at ') || text.includes('\n\tat '))
  )
}

function isStack({ path, value }: MemberHit): boolean {
  if (typeof value !== 'string' || value === '') return false
  // A stack of one line is what a service is deployed in.
  if (path === 'stack') return value.includes('\n')
  return path !== 'full_message' || hasStack(value)
}

/** Takes the first of the members that is a string. */
function takeText({ part }: MemberHit, paths: readonly (readonly PathStep[])[]): string | null {
  for (const steps of paths) {
    const found = findMember(part.raw, steps)
    if (found === null || typeof found.value !== 'string' || found.value === '') continue
    part.take(found.keys)
    return found.value
  }
  return null
}

/**
 * The stack trace of a record under OpenTelemetry's names, with the class and the message that are next to it. Null
 * without one, or if the record has one under these names in its own `log_fields`.
 */
export function moveException(hits: readonly MemberHit[], logFields: unknown): MovedException | null {
  const stacks = hits.filter(isStack)
  const hit = stacks.find(({ path }) => path === STACKTRACE) ?? stacks[0]
  if (hit === undefined || (isRawObject(logFields) && findMember(logFields, OWN_STACKTRACE) !== null)) return null
  hit.part.take(hit.keys)
  const members = MEMBERS.get(hit.path)
  const type = members ? takeText(hit, members.type) : null
  const message = members ? takeText(hit, [members.message]) : null
  return {
    path: hit.path,
    fields: {
      [STACKTRACE]: hit.value as string,
      ...(type !== null && { 'exception.type': type }),
      ...(message !== null && { 'exception.message': message })
    }
  }
}
