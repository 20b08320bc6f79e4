import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Db } from '../db/database.ts'
import type { Secrets } from './secrets.ts'

export const tokenLifeMs = 24 * 3_600_000

const issuer = 'plimsoll'
const rememberedMax = 10_000

/** Contains no permissions: session, user and role are looked up on every request. */
export type TokenClaims = { sessionId: string; userId: string; kid: string; expiresAt: Date }

/** Signs and verifies the tokens of users. A verified token is cached until it expires. */
export class Tokens {
  readonly #secrets: Secrets
  readonly #now: () => Date
  readonly #remembered = new Map<string, TokenClaims>()

  constructor(secrets: Secrets, now: () => Date) {
    this.#secrets = secrets
    this.#now = now
  }

  /** Inside a transaction, `tx` avoids a second connection, which may not be available under load. */
  async issue(
    { sessionId, userId, endsAt }: { sessionId: string; userId: string; endsAt?: Date | undefined },
    tx?: Db,
  ): Promise<{ token: string; expiresAt: Date }> {
    const { kid, privateKey } = await this.#secrets.signingKey(tx)
    const issuedAt = Math.floor(this.#now().getTime() / 1000)
    const lifeEnds = issuedAt + tokenLifeMs / 1000
    const expires = Math.min(lifeEnds, endsAt === undefined ? lifeEnds : Math.floor(endsAt.getTime() / 1000))
    const token = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setSubject(userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expires)
      // Two tokens of one session and second would otherwise be equal.
      .setJti(randomUUID())
      .sign(privateKey)
    return { token, expiresAt: new Date(expires * 1000) }
  }

  /** Undefined for anything but a complete, unexpired token that is signed with a valid key. */
  async verify(token: string): Promise<TokenClaims | undefined> {
    const claims = this.#remembered.get(token) ?? (await this.#checkSignature(token))
    if (!claims || claims.expiresAt <= this.#now()) return undefined
    return (await this.#secrets.verificationKey(claims.kid)) ? claims : undefined
  }

  async #checkSignature(token: string): Promise<TokenClaims | undefined> {
    const kid = keyIdOf(token)
    // Outside the try: an unavailable database says nothing about the token.
    const key = kid === undefined ? undefined : await this.#secrets.verificationKey(kid)
    if (!key) return undefined
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        issuer,
        algorithms: ['EdDSA'],
        currentDate: this.#now(),
        requiredClaims: ['sub', 'exp', 'sid'],
      })
      if (typeof payload.sid !== 'string' || payload.sub === undefined || payload.exp === undefined) return undefined
      return this.#remember(token, {
        sessionId: payload.sid,
        userId: payload.sub,
        kid: key.kid,
        expiresAt: new Date(payload.exp * 1000),
      })
    } catch {
      return undefined
    }
  }

  #remember(token: string, claims: TokenClaims): TokenClaims {
    const oldest = this.#remembered.keys().next().value
    if (this.#remembered.size >= rememberedMax && oldest !== undefined) this.#remembered.delete(oldest)
    this.#remembered.set(token, claims)
    return claims
  }
}

function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}
