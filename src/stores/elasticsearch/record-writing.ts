import type { NamespaceId } from '../../domain/ids.js'
import type { Batch } from '../../ports/append.js'
import type { EventStore } from '../../ports/event-store.js'
import type { LogStore } from '../../ports/log-store.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { TraceStore } from '../../ports/trace-store.js'
import type { DocumentKind } from './document/field-names.js'
import { APM_ERRORS, LOGS, type DocumentCodec, RUM_EVENTS, SPANS } from './document/record-kinds.js'
import type { Generations } from './index/generations.js'
import { ownerOf } from './index/write-targets.js'
import type { Deletions } from './upkeep/deletions.js'
import type { IndexCalls } from './upkeep/index-calls.js'
import type { BatchWriter } from './write/batch-writer.js'

interface Deps {
  readonly writer: BatchWriter
  readonly deletions: Deletions
  readonly generations: Generations
  readonly namespaces: NamespaceDirectory
  readonly calls: IndexCalls
}

type Removing = 'settle' | 'deleteBefore' | 'dropNamespace'

/** The writing half of the stores of all signals. */
export interface RecordWriting {
  readonly logs: Pick<LogStore, 'append' | Removing>
  readonly events: Pick<EventStore, 'appendRum' | 'appendErrors' | Removing>
  readonly traces: Pick<TraceStore, 'append' | Removing>
}

const EVENT_KINDS = ['rum', 'errors'] as const

/** Writes and deletes documents of each signal. */
export function createRecordWriting({ writer, deletions, generations, namespaces, calls }: Deps): RecordWriting {
  /** Makes what was acknowledged visible, in the indices of this namespace alone. */
  const settle = async (ns: NamespaceId, kinds: readonly DocumentKind[]): Promise<void> => {
    const owner = ownerOf(namespaces, ns)
    const found = await Promise.all(kinds.map(kind => generations.of(owner, kind)))
    await calls.refresh(found.flat().map(({ index }) => index))
  }
  const ofOneKind = <Item extends { readonly index: number }>(written: DocumentCodec<Item, unknown>) => ({
    append: (ns: NamespaceId, batch: Batch<Item>) => writer.append(ns, batch, written),
    settle: (ns: NamespaceId) => settle(ns, [written.kind]),
    deleteBefore: (ns: NamespaceId, timeNs: bigint) => deletions.deleteBefore(ns, written.kind, timeNs),
    dropNamespace: (ns: NamespaceId) => deletions.dropNamespace(ns, [written.kind])
  })
  return {
    logs: ofOneKind(LOGS),
    traces: ofOneKind(SPANS),
    events: {
      appendRum: (ns, batch) => writer.append(ns, batch, RUM_EVENTS),
      appendErrors: (ns, batch) => writer.append(ns, batch, APM_ERRORS),
      settle: ns => settle(ns, EVENT_KINDS),
      deleteBefore: (ns, kind, timeNs) => deletions.deleteBefore(ns, kind, timeNs),
      dropNamespace: ns => deletions.dropNamespace(ns, EVENT_KINDS)
    }
  }
}
