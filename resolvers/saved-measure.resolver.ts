import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { DeletePayload } from '../schema/payload.type.js'
import {
  type MeasureBackfillType,
  SavedMeasureInput,
  SavedMeasurePayload,
  SavedMeasureType
} from '../schema/saved-measure.type.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import type { MeasureInput } from '../src/alerting/measures/parse-measure.js'
import { formatDurationMs } from '../src/domain/duration.js'
import { GatewayError } from '../src/domain/errors.js'
import { type Backfill, metricNames, type SavedMeasure } from '../src/domain/saved-measure.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { nsOfMs } from './to-access.js'
import { toBounds } from './to-shared.js'

function toBackfill({ fromMs, nextMs, untilMs }: Backfill): MeasureBackfillType {
  return { from: nsOfMs(fromMs), doneUntil: nsOfMs(nextMs), until: nsOfMs(untilMs) }
}

function toMeasure(measure: SavedMeasure): SavedMeasureType {
  const { name, description, signal, query, fn, field, groupBy, stepMs, bounds, backfill, error, incomplete } = measure
  return {
    ...{ name, description, metrics: metricNames(measure), signal, query, fn, field, groupBy, step: stepMs, bounds, error },
    ...{ createdAt: nsOfMs(measure.createdAtMs), countedUntil: nsOfMs(measure.countedMs) },
    ...{ settledUntil: nsOfMs(measure.settledMs), backfill: backfill && toBackfill(backfill) },
    incomplete: incomplete && incomplete.detail,
    incompleteAt: incomplete && nsOfMs(incomplete.atMs)
  }
}

function toInput({ description, signal, query, field, groupBy, step, bounds, ...given }: SavedMeasureInput): MeasureInput {
  if (signal !== 'logs' && signal !== 'spans')
    throw new GatewayError('invalid_field', `measures are of LOGS or SPANS, not of ${signal.toUpperCase()}`, { field: 'signal' })
  const more = {
    description: description ?? undefined,
    query: query ?? undefined,
    field: field ?? undefined,
    groupBy: groupBy ?? undefined,
    bounds: bounds ?? undefined
  }
  return { ...given, ...more, signal, step: step == null ? undefined : formatDurationMs(step) }
}

/** Measures over logs and spans that become metrics. */
@Resolver()
export class SavedMeasureResolver {
  @Query(() => [SavedMeasureType], { nullable: true, description: 'Saved measures by name; at most 50.' })
  async savedMeasures(@Ctx() { use, namespace }: Context): Promise<SavedMeasureType[]> {
    return (await use.measures.list(await namespace())).map(toMeasure)
  }

  @Mutation(() => SavedMeasurePayload, {
    description:
      'Saves a measure as a metric, computed from the present step on. Requires role MEMBER. At most 50 of a namespace.'
  })
  async saveMeasure(
    @Arg('input', () => SavedMeasureInput, { description: 'Records, measure and labels.' }) input: SavedMeasureInput,
    @Ctx() context: Context
  ): Promise<SavedMeasurePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({ measure: toMeasure(await context.use.measures.create(user, namespace, toInput(input))) }))
  }

  @Mutation(() => SavedMeasurePayload, {
    description: 'Computes past steps of a saved measure out of the stored records, in the background. Requires role MEMBER.'
  })
  async backfillMeasure(
    @Arg('name', () => String, { description: 'Value of `SavedMeasure.name`.' }) name: string,
    @Arg('range', () => TimeRangeInput, { description: 'Steps to compute; existing samples are replaced.' })
    range: TimeRangeInput,
    @Ctx() context: Context
  ): Promise<SavedMeasurePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({
      measure: toMeasure(await context.use.measures.backfill(user, namespace, name, toBounds(range)))
    }))
  }

  @Mutation(() => DeletePayload, {
    description: 'Ends a saved measure; the samples that it has written stay. Requires role MEMBER.'
  })
  async deleteMeasure(
    @Arg('name', () => String, { description: 'Value of `SavedMeasure.name`.' }) name: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.measures.remove(user, namespace, name)
      return { deletedId: name }
    })
  }
}
