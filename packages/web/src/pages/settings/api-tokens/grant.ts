import { inWords, readOnly } from '../../../format/permissions.ts'

export type GrantKind = 'read' | 'all' | 'chosen'

/** What a new token is to be able to do: somebody decides it, and it begins with what can break nothing. */
export type Grant = { kind: GrantKind; chosen: readonly string[] }

export const firstGrant: Grant = { kind: 'read', chosen: [] }

/** `held` is what its maker may do. */
export function scopesOf({ kind, chosen }: Grant, held: readonly string[]): readonly string[] {
  if (kind === 'all') return held
  return kind === 'read' ? readOnly(held) : chosen
}

/** Whoever ticks another box has chosen, and starts from what was ticked. */
export function toggled(grant: Grant, held: readonly string[], scope: string): Grant {
  const scopes = scopesOf(grant, held)
  const chosen = scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]
  return { kind: 'chosen', chosen }
}

/** Everything is meant to hold later too, so it is sent as no list. */
export const sentScopes = (grant: Grant, held: readonly string[]) =>
  grant.kind === 'all' ? {} : { scopes: scopesOf(grant, held) }

export function grantWords(grant: Grant, held: readonly string[]): string {
  const scopes = scopesOf(grant, held)
  if (scopes.length === 0) return 'It can do nothing yet: choose what it may do.'
  const words = inWords(scopes)
  if (grant.kind === 'all') return `It can do all that you may, also what you may later: ${words}.`
  return isHarmless(scopes) ? `It can ${words}, and change nothing.` : `It can ${words}.`
}

export const isHarmless = (scopes: readonly string[]) => readOnly(scopes).length === scopes.length
