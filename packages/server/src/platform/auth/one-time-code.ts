import { randomBytes } from 'node:crypto'
import { insertLink } from './queries/one-time-links.ts'
import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { storedText } from './credential-text.ts'
import { base32, isId, newOpaqueId } from '../ids.ts'

/** The first admin enters an identity on the page; an invitation belongs to a known user. */
const setUpPrefix = 'setup.'
const idLength = 26
const lifeMs = 72 * 3_600_000

/**
 * A link to choose a password: for the first admin (`userId` null) or an invited user. The code is after the #, so it
 * never reaches a server log.
 */
export async function makeOneTimeLink(
  deps: Deps,
  tx: Db,
  userId: string | null,
): Promise<{ link: string; expiresAt: Date }> {
  const now = deps.now()
  const id = newOpaqueId(now)
  const secret = base32(randomBytes(32))
  const expiresAt = new Date(now.getTime() + lifeMs)
  await insertLink(tx, {
    linkId: `lnk_${id}`,
    userId,
    mac: deps.secrets.mac(storedText('link', secret)),
    expiresAt,
    now,
  })
  return { link: `${deps.settings.publicUrl}/welcome#${userId === null ? setUpPrefix : ''}${id}${secret}`, expiresAt }
}

export function parseOneTimeCode(text: string): { linkId: string; secret: string } | undefined {
  const code = text.startsWith(setUpPrefix) ? text.slice(setUpPrefix.length) : text
  const linkId = `lnk_${code.slice(0, idLength)}`
  return isId('lnk', linkId) ? { linkId, secret: code.slice(idLength) } : undefined
}
