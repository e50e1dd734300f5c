import type { RawObject } from '../raw-object.js'

// messagetemplates.org: a name with an operator before it, an alignment and a format behind it; doubled braces are braces.
const HOLE = /\{\{|\}\}|\{[@$]?([^{}:,]{1,128})(?:,-?\d{1,4})?(?::[^{}]{0,64})?\}/g

/**
 * The message of a template (`Order {OrderId} paid`) and the members that it names. Unknown names stay as they are, and so
 * does a name that is repeated: the message is never longer than the record.
 */
export function fillTemplate(template: string, members: RawObject): string {
  const filled = new Set<string>()
  return template.replaceAll(HOLE, (hole: string, name: string | undefined) => {
    if (name === undefined) return hole.charAt(0)
    const value = Object.hasOwn(members, name) && !filled.has(name) ? members[name] : undefined
    filled.add(name)
    if (value === undefined) return hole
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
