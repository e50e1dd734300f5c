import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { costOfValidation } from '../schema/cost.js'
import { QueryLanguage, type ValueOf } from '../schema/enums.js'
import { QueryValidationType } from '../schema/query-validation.type.js'
import type { Context } from './context.js'

/** Fields of the GraphQL type `QueryValidation`. */
@Resolver(() => QueryValidationType)
export class QueryValidationResolver {
  @Query(() => QueryValidationType, {
    complexity: costOfValidation,
    description: 'Checks a query without running it. Faults are part of the result.'
  })
  validateQuery(
    @Arg('language', () => QueryLanguage, { description: 'Search language, or PromQL.' }) language: ValueOf<typeof QueryLanguage>,
    @Arg('text', () => String, { description: 'Query as a person wrote it, at most 8,192 characters of the search language.' })
    text: string,
    @Ctx() { use }: Context
  ): QueryValidationType {
    return use.queryValidator.validate(language, text)
  }
}
