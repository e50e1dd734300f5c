import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Operation } from './request.js'
import { useApi } from './context.js'
import { ApiError } from './errors.js'

/** A reason for which a mutation was rejected, as every payload of the API has them. */
interface UserError {
  readonly code: string
  readonly message: string
  readonly field?: readonly string[] | null
}

/** The first rejection in the payloads of a mutation; null when it was executed. */
function rejectionOf(result: object): UserError | null {
  for (const payload of Object.values(result) as readonly { readonly userErrors?: readonly UserError[] }[]) {
    if (payload?.userErrors?.[0]) return payload.userErrors[0]
  }
  return null
}

/**
 * Sends a mutation in a namespace; a rejection of its payload is thrown as `ApiError`. Afterwards everything of the
 * namespace is read again. A success is pending until that is read, so that buttons act on what is shown; `onDone` is called
 * before, also when the component has left the page. An error, after which the role of the caller may have changed, does not
 * wait.
 */
export function useSend<Result extends object, Variables>(
  document: Operation<Result, Variables>,
  namespace: string,
  onDone?: (result: Result, variables: Variables) => void
): UseMutationResult<Result, Error, Variables> {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (variables: Variables) => {
      const result = await api.request(document, variables, { namespace })
      const rejection = rejectionOf(result)
      if (rejection) {
        const { message, code, field } = rejection
        throw new ApiError(message, { code: code.toLowerCase(), status: 200, field: field?.join('.') ?? null })
      }
      return result
    },
    onSuccess: (result, variables) => {
      onDone?.(result, variables)
      return queryClient.invalidateQueries({ queryKey: [namespace] })
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: [namespace] })
  })
}
