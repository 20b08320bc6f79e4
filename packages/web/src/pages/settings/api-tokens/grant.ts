import type { Permission } from '@plimsoll/contract'
import { inWords, readOnly } from '../../../format/permissions.ts'

export type GrantKind = 'read' | 'all' | 'chosen'

/** The permissions of a new token; read-only by default. */
export type Grant = { kind: GrantKind; chosen: readonly string[] }

export const firstGrant: Grant = { kind: 'read', chosen: [] }

/** `held`: the permissions of the creator. */
export function scopesOf({ kind, chosen }: Grant, held: readonly string[]): readonly string[] {
  if (kind === 'all') return held
  return kind === 'read' ? readOnly(held) : chosen
}

/** Changing a checkbox switches to a custom choice, starting from the current one. */
export function toggled(grant: Grant, held: readonly string[], scope: string): Grant {
  const scopes = scopesOf(grant, held)
  const chosen = scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]
  return { kind: 'chosen', chosen }
}

/** All permissions include later ones, so no list is sent. */
export const sentScopes = (grant: Grant, held: readonly string[]) =>
  grant.kind === 'all' ? {} : { scopes: scopesOf(grant, held) as Permission[] }

export function grantWords(grant: Grant, held: readonly string[]): string {
  const scopes = scopesOf(grant, held)
  if (scopes.length === 0) return 'The token has no permissions. Select at least one.'
  const words = inWords(scopes)
  if (grant.kind === 'all') return `The token always has the same permissions as you. Currently: ${words}.`
  return isHarmless(scopes) ? `The token can ${words}. It cannot change anything.` : `The token can ${words}.`
}

export const isHarmless = (scopes: readonly string[]) => readOnly(scopes).length === scopes.length
