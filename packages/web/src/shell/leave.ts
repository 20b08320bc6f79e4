import type { QueryClient } from '@tanstack/react-query'
import type { UseNavigateResult } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'

/** Clears all loaded data, so that the next user of this browser sees nothing of it. */
export async function leave(queries: QueryClient, navigate: UseNavigateResult<string>): Promise<void> {
  await signOut().catch(() => undefined)
  queries.clear()
  await navigate({ to: '/sign-in' })
}
