import { Args, Resolver, Root, Subscription } from 'type-graphql'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { IngestRateArgs, LogTailArgs } from '../schema/tail.args.js'
import { IngestRateType, LogTailBatchType } from '../schema/tail.type.js'
import type { IngestRate } from '../src/ingest/ingest-rates.js'
import type { TailDelivery } from '../src/query/log-tail/log-tail.js'
import type { Context } from './context.js'
import { nsOfMs } from './to-access.js'
import { LogSource, toLogConditions } from './to-log.js'

interface Subscribing<A> {
  readonly args: A
  readonly context: Context
}

async function* openTail({ args, context }: Subscribing<LogTailArgs>): AsyncGenerator<TailDelivery, void> {
  const namespace = await context.namespace()
  const query = {
    conditions: toLogConditions(args.filter),
    after: args.after ?? undefined,
    everyMs: args.every,
    max: args.max
  }
  yield* context.use.logTail.open(namespace, query, context.signal).deliveries
}

async function* openRates({ args, context }: Subscribing<IngestRateArgs>): AsyncGenerator<IngestRate, void> {
  const { id } = await context.namespace()
  yield* context.use.ingestRates.follow(id, args.every, context.signal)
}

/** The live tail of logs. */
@Resolver()
export class TailResolver {
  @Subscription(() => LogTailBatchType, {
    complexity: COST_OF_A_SEARCH,
    description:
      'Delivers log records as they arrive at any gateway, each once. A batch without records only moves the cursor on.',
    subscribe: data => openTail(data)
  })
  logTail(@Root() delivery: TailDelivery, @Args(() => LogTailArgs) _args: LogTailArgs): LogTailBatchType {
    const { rows, cursor, dropped } = delivery
    return { records: rows.map(row => new LogSource(row)), cursor, dropped }
  }

  @Subscription(() => IngestRateType, {
    description: 'Measures what this gateway accepts.',
    subscribe: data => openRates(data)
  })
  ingestRate(@Root() rate: IngestRate, @Args(() => IngestRateArgs) _args: IngestRateArgs): IngestRateType {
    const { atMs, ...perSecond } = rate
    return { at: nsOfMs(atMs), ...perSecond }
  }
}
