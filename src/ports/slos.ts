import type { Slo } from '../domain/alerts/slo.js'
import type { NamespaceId } from '../domain/ids.js'

/** Service level objectives. They end with the namespace. */
export interface Slos {
  /** SLOs of the namespace by name, at most `limit`. */
  list(ns: NamespaceId, limit: number): Promise<readonly Slo[]>
  find(ns: NamespaceId, id: string): Promise<Slo | null>
  /** The SLO whose rules the group has; null for a group that belongs to none. */
  ofGroup(ns: NamespaceId, groupId: string): Promise<Slo | null>
  /**
   * Inserts version 1, or replaces version `slo.version - 1`; the replaced content is kept as a version. False when the
   * stored version is another one. `conflict` for a name that another SLO has.
   */
  put(slo: Slo): Promise<boolean>
  /** The latest `KEPT_SLO_VERSIONS` contents of an SLO, newest first, at most `limit`. */
  versions(ns: NamespaceId, id: string, limit: number): Promise<readonly Slo[]>
  /** Removes an SLO with its versions; false when it does not exist. Its group of rules stays. */
  remove(ns: NamespaceId, id: string): Promise<boolean>
}
