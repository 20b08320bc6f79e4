import type { QueryClient } from '@tanstack/react-query'
import type { UseNavigateResult } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'

/** Whoever comes next at this browser finds nothing of what was shown. */
export async function leave(queries: QueryClient, navigate: UseNavigateResult<string>): Promise<void> {
  await signOut().catch(() => undefined)
  queries.clear()
  await navigate({ to: '/sign-in' })
}
