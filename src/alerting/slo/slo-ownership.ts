import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { ControlPorts } from '../../ports/control-store.js'

/** Refuses the change of a group or a rule that an SLO produces: the next change of the SLO would overwrite it. */
export function ownedBySlo(name: string, field: string): GatewayError {
  const detail = `the SLO ${JSON.stringify(name)} produces these rules; change the SLO instead`
  return new GatewayError('conflict', detail, { field })
}

/** `conflict` when an SLO produces the rules of the group. */
export async function requireOwnGroup(
  { slos }: Pick<ControlPorts, 'slos'>,
  ns: NamespaceId,
  groupId: string,
  field: string
): Promise<void> {
  const slo = await slos.ofGroup(ns, groupId)
  if (slo !== null) throw ownedBySlo(slo.name, field)
}
