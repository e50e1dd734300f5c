import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { MetricDescription } from '../schema/metric.type.js'
import type { Context } from './context.js'

/** What senders say of a metric. */
@Resolver(() => MetricDescription)
export class MetricFactsResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Unit from the metadata of the sender, for example `seconds`; null when unknown.'
  })
  async unit(@Root() { name }: MetricDescription, @Ctx() { metricFacts }: Context): Promise<string | null> {
    return (await metricFacts.load(name))?.unit || null
  }

  @FieldResolver(() => String, { nullable: true, description: 'Help string from the metadata of the sender; null when unknown.' })
  async description(@Root() { name }: MetricDescription, @Ctx() { metricFacts }: Context): Promise<string | null> {
    return (await metricFacts.load(name))?.help || null
  }
}
