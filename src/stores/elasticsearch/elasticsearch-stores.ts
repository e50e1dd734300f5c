import type { GatewayError } from '../../domain/errors.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { EventStore } from '../../ports/event-store.js'
import type { IndexCatalog } from '../../ports/index-catalog.js'
import type { LogStore } from '../../ports/log-store.js'
import type { Logger } from '../../ports/logger.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { ReadGaps } from '../../ports/read-gaps.js'
import type { NamespaceSize, StoreHealth } from '../../ports/stores.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { QueueBudget } from '../shared/queue-budget.js'
import type { ElasticsearchServer } from './client/node-transport.js'
import { ClusterLink } from './client/cluster-link.js'
import { EngineClient } from './client/engine-client.js'
import { NodeWatches } from './client/node-watches.js'
import { DeletionMarks } from './index/deletion-marks.js'
import { DroppedNamespaces } from './index/dropped-namespaces.js'
import { Generations } from './index/generations.js'
import { IndexMaker } from './index/index-maker.js'
import { IndexLosses } from './index/index-losses.js'
import { ManifestTargets } from './index/manifest-targets.js'
import { WriteTargets } from './index/write-targets.js'
import { DEFAULT_LIMITS, type ElasticsearchLimits } from './limits.js'
import { eventReader, logReader, traceReader } from './read/readers.js'
import { HttpSearchEngine } from './read/http-search-engine.js'
import { UnassignedDocuments } from './read/unassigned-documents.js'
import { createRecordWriting } from './record-writing.js'
import { Deletions } from './upkeep/deletions.js'
import { engineHealth, type Remarks } from './upkeep/engine-health.js'
import { IndexInspector } from './upkeep/index-inspector.js'
import { IndexCalls } from './upkeep/index-calls.js'
import { IndexMappings } from './upkeep/index-mappings.js'
import { namespaceSizes } from './upkeep/namespace-sizes.js'
import { DocumentRemover } from './upkeep/remove-documents.js'
import { PatternAssignment } from './upkeep/pattern-assignment.js'
import { Roller } from './upkeep/roller.js'
import { Upkeep } from './upkeep/upkeep.js'
import { BatchWriter } from './write/batch-writer.js'
import { BulkQueue } from './write/bulk-queue.js'
import { BulkSender } from './write/bulk-sender.js'

const MIB = 1024 * 1024
/** Bytes of the messages that are read at once to find patterns. */
const UNASSIGNED_BYTES = 4 * MIB
/** Bytes of the documents that are replaced at once: with their terms, some 5 MiB of the namespace's share of the queue. */
const REPLACED_BYTES = MIB
/** Sockets for deletions, refreshes, new indices and the like. */
const OTHER_SOCKETS = 4

/** What the stores of a cluster work with. */
export interface ElasticsearchOptions {
  readonly server: ElasticsearchServer
  readonly catalog: IndexCatalog
  /** The placement of namespaces, and which are deleted. */
  readonly namespaces: NamespaceDirectory
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: BackgroundJobs
  /** `[a-z0-9]+`, different for every control database: installations may share a cluster. */
  readonly installation: string
  readonly limits?: Partial<ElasticsearchLimits>
}

/** The stores of one cluster. */
export interface ElasticsearchStores {
  readonly logs: LogStore
  readonly events: EventStore
  readonly traces: TraceStore
  /** The gaps of results because an index was deleted externally. */
  readonly gaps: ReadGaps
  health(): Promise<readonly StoreHealth[]>
  sizes(): Promise<readonly NamespaceSize[]>
  gauges(): Promise<Readonly<Record<string, number>>>
  /** Rolls indices that are due, finishes deletions and looks for unknown indices; runs by itself too. */
  upkeep(): Promise<void>
  /** Sends what is queued and lets go of the connections. The second call does nothing. */
  close(): Promise<void>
}

function logNode(logger: Logger, node: string, outage: GatewayError | null): void {
  if (outage) logger.warn({ node, err: outage }, 'a node of the search cluster is unavailable and gets no requests')
  else logger.info({ node }, 'a node of the search cluster is available again')
}

/** The parts of the stores with their dependencies. */
function assemble(options: ElasticsearchOptions) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { server, catalog, namespaces, clock, installation, logger, jobs } = options
  const watches = new NodeWatches({ server, clock, onChange: (address, outage) => logNode(logger, address, outage) })
  const writing = new EngineClient(server, limits.bulkSlots + OTHER_SOCKETS, watches)
  const reading = new EngineClient(server, limits.readSockets, watches)
  const link = new ClusterLink(writing, limits, logger)
  const generations = new Generations(catalog, clock, jobs.monitor('index_catalog'))
  const dropped = new DroppedNamespaces(namespaces)
  const marks = new DeletionMarks(clock)
  const maker = new IndexMaker(writing, link, { ...limits, installation }, generation => generations.noteMade(generation))
  const roller = new Roller({ generations, namespaces, clock, limits, installation })
  const mappings = new IndexMappings({ client: writing, generations, roller, installation })
  const mapped = (): Promise<void> => mappings.ensure()
  const targets = new WriteTargets({ generations, maker, namespaces, clock, installation, mapped })
  const queue = new BulkQueue(new BulkSender(writing, limits.bulkTimeoutMs), limits)
  const budget = new QueueBudget(limits.queueBytes)
  const writer = new BatchWriter({ targets, queue, budget, dropped })
  const calls = new IndexCalls(writing)
  const remover = new DocumentRemover(writing, calls)
  const deletions = new Deletions({ generations, namespaces, dropped, marks, queue, calls, remover, roller, clock })
  const upkeep = new Upkeep({ generations, namespaces, calls, roller, deletions, mappings, installation, jobs })
  const records = createRecordWriting({ writer, deletions, generations, namespaces, calls })
  const losses = new IndexLosses(generations, namespaces)
  const inspector = new IndexInspector({ client: writing, generations, clock })
  const bounds = { timeoutMs: limits.readTimeoutMs, maxResponseBytes: limits.readBytes }
  const engine = new HttpSearchEngine(reading, bounds, losses)
  const manifest = new ManifestTargets({ generations, namespaces, dropped, marks })
  const readers = { engine, targets: manifest }
  const bounded = (maxBytes: number): HttpSearchEngine =>
    new HttpSearchEngine(reading, { ...bounds, maxResponseBytes: Math.min(limits.readBytes, maxBytes) }, losses)
  const bySize = { engine, pages: bounded(UNASSIGNED_BYTES), documents: bounded(REPLACED_BYTES) }
  const documents = new UnassignedDocuments(bySize)
  const assignment = new PatternAssignment({ documents, targets: manifest, generations, writer, calls, clock, mapped })
  return {
    limits,
    watches,
    writing,
    reading,
    link,
    generations,
    writer,
    queue,
    budget,
    calls,
    upkeep,
    records,
    readers,
    losses,
    inspector,
    assignment
  }
}

type Parts = ReturnType<typeof assemble>

function gaugesOf({ queue, budget }: Parts): Readonly<Record<string, number>> {
  const { requests, documents, refusals, inFlight, bulkBytes } = queue.gauges()
  return {
    queue_bytes: budget.bytes,
    queue_refused_total: budget.refused,
    bulk_requests_total: requests,
    bulk_documents_total: documents,
    bulk_refusals_total: refusals,
    bulks_under_way: inFlight,
    bulk_bytes: bulkBytes
  }
}

/** The remarks of health on the indices. */
async function remarksOn({ upkeep, inspector }: Parts): Promise<Remarks> {
  const { unknown } = upkeep
  const { sentences, diagnoses } = await inspector.remarks()
  if (unknown.length === 0) return { sentences, diagnoses }
  const sentence = `${unknown.length} indices of this installation are in no catalog and are not changed`
  return { sentences: [...sentences, sentence], diagnoses: [...diagnoses, `${sentence}, such as ${unknown[0]}`] }
}

async function closeAll({ upkeep, writer, writing, reading, watches }: Parts): Promise<void> {
  await upkeep.stop()
  await writer.close()
  await Promise.all([writing.close(), reading.close(), watches.close()])
}

/**
 * Opens the stores of a cluster. One that cannot be reached fails the calls, not the start. Throws
 * `unsupported_by_store` for a cluster that can never serve.
 */
export async function openElasticsearchStores(options: ElasticsearchOptions): Promise<ElasticsearchStores> {
  const parts = assemble(options)
  const { limits, watches, writing, link, generations, calls, upkeep, records, readers, losses, assignment } = parts
  try {
    await link.tryConnect()
  } catch (error) {
    await closeAll(parts)
    throw error
  }
  upkeep.start(limits.upkeepIntervalMs)
  let closing: Promise<void> | null = null
  return {
    gaps: losses,
    logs: { ...logReader(readers), ...records.logs, unassigned: assignment },
    events: { ...eventReader(readers), ...records.events },
    traces: { ...traceReader(readers, limits.traces), ...records.traces },
    health: async () => [await engineHealth({ client: writing, watches, clock: options.clock, remarks: () => remarksOn(parts) })],
    sizes: () => namespaceSizes(generations, calls),
    gauges: () => Promise.resolve(gaugesOf(parts)),
    upkeep: () => upkeep.run(),
    close: () => (closing ??= closeAll(parts))
  }
}
