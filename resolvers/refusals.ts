import { type ErrorCode, type GatewayError, isGatewayError } from '../src/domain/errors.js'
import type { UserErrorCode, ValueOf } from '../schema/enums.js'
import type { UserErrorType } from '../schema/payload.type.js'

type UserCode = ValueOf<typeof UserErrorCode>

// Authentication, rights and faults are not in here: they stay top-level errors.
const REFUSALS: Readonly<Partial<Record<ErrorCode, UserCode>>> = {
  invalid_field: 'INVALID',
  missing_field: 'INVALID',
  invalid_time_range: 'INVALID',
  name_taken: 'TAKEN',
  name_reserved: 'NAME_RETIRED',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  quota_exceeded: 'LIMIT_REACHED'
}

function toUserError(error: GatewayError, code: UserCode): UserErrorType {
  return { code, message: error.message, field: error.field?.split('.') ?? null }
}

/** The payload of a mutation: the result of `work`, or why it was refused. `conflictMeans` names this mutation's conflict. */
export async function payload<Result extends object>(
  work: () => Promise<Result>,
  conflictMeans: UserCode = 'CONFLICT'
): Promise<Partial<Result> & { readonly userErrors: readonly UserErrorType[] }> {
  try {
    return { ...(await work()), userErrors: [] }
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const code = error.code === 'conflict' ? conflictMeans : REFUSALS[error.code]
    if (code === undefined) throw error
    return { userErrors: [toUserError(error, code)] } as unknown as Partial<Result> & { userErrors: readonly UserErrorType[] }
  }
}

/** Null for those who may not see it: a field that only admins see is not an error for others. */
export async function nullWithoutRights<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (isGatewayError(error, 'role_required') || isGatewayError(error, 'scope_required')) return null
    throw error
  }
}
