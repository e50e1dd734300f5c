import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type SearchValues, withValues } from './search-codec.js'

/** Changes of an address; null and empty values remove their key. */
export type AddressChanges = Readonly<Record<string, string | readonly string[] | null>>

/** The query string of the page and how to change it. */
export interface Address {
  readonly search: SearchValues
  /** Sets keys as a new entry of the history, which Back undoes; `replace` is for what a person would not undo. */
  readonly change: (changes: AddressChanges, options?: { readonly replace?: boolean }) => void
}

/** The address of the current page. */
export function useAddress(): Address {
  const search = useSearch({ strict: false }) as SearchValues
  const navigate = useNavigate()
  const change = useCallback(
    (changes: AddressChanges, { replace = false }: { readonly replace?: boolean } = {}) => {
      void navigate({ to: '.', search: (current: SearchValues) => withValues(current, changes), replace })
    },
    [navigate]
  )
  return { search, change }
}

/** The namespace of the address: its name or its id, as in the path. */
export function useNamespace(): string {
  return useParams({ strict: false, select: params => (params as { namespace?: string }).namespace ?? '' })
}
