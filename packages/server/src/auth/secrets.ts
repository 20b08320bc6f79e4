import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { insertSecretIfAbsent, listSecrets, replaceSecret, retireSigningKeys, type SecretRow } from '../db/secrets.ts'
import { newOpaqueId } from '../ids.ts'
import { StartupError } from '../startup-error.ts'
import { seal, unseal } from './seal.ts'

export type SigningKey = {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  createdAt: Date
  retiresAt: Date | null
}

export type SecretsOptions = { db: Db; now: () => Date; passphrase?: string }

/** An old key verifies for the life of the last token a slow replica may still sign with it, and an hour. */
const retirementMs = 25 * 3_600_000
const reloadAfterMs = 60_000

/** The service's own secrets: made at first start, shared by all replicas through the database, never defaulted. */
export class Secrets {
  readonly #options: SecretsOptions
  #macSecret: Buffer = Buffer.alloc(0)
  #keys = new Map<string, SigningKey>()
  #loadedAt = 0

  private constructor(options: SecretsOptions) {
    this.#options = options
  }

  static async open(options: SecretsOptions): Promise<Secrets> {
    const secrets = new Secrets(options)
    await secrets.#makeMissing()
    await secrets.reload()
    return secrets
  }

  mac(text: string): Buffer {
    return createHmac('sha256', this.#macSecret).update(text).digest()
  }

  macMatches(text: string, mac: Buffer): boolean {
    const expected = this.mac(text)
    return mac.length === expected.length && timingSafeEqual(expected, mac)
  }

  /** The newest key that is not retiring. */
  async signingKey(): Promise<SigningKey> {
    if (this.#options.now().getTime() - this.#loadedAt > reloadAfterMs) await this.reload()
    const [key] = [...this.#keys.values()].filter(({ retiresAt }) => retiresAt === null)
    if (!key) throw new Error('no current signing key')
    return key
  }

  /** An unknown key may be one that another replica has just made. */
  async verificationKey(kid: string): Promise<SigningKey | undefined> {
    const now = this.#options.now()
    if (!this.#keys.has(kid) && now.getTime() - this.#loadedAt > 1000) await this.reload()
    const key = this.#keys.get(kid)
    return key && (key.retiresAt === null || key.retiresAt > now) ? key : undefined
  }

  async rotateSigningKey(tx: Db, { endSessions }: { endSessions: boolean }): Promise<SigningKey> {
    const now = this.#options.now()
    const row = this.#newRow('jwt')
    await retireSigningKeys(tx, endSessions ? now : new Date(now.getTime() + retirementMs))
    await insertSecretIfAbsent(tx, row)
    return this.#openKey(row)
  }

  async reload(): Promise<void> {
    const rows = await listSecrets(this.#options.db)
    for (const row of rows.filter(({ sealed }) => !sealed)) await this.#sealAtRest(row)
    this.#loadedAt = this.#options.now().getTime()
    this.#keys = new Map(
      rows.filter(({ purpose }) => purpose === 'jwt').map((row) => [row.secret_id, this.#openKey(row)]),
    )
    const mac = rows.find(({ purpose }) => purpose === 'mac')
    if (mac) this.#macSecret = this.#open(mac)
  }

  async #makeMissing(): Promise<void> {
    const rows = await listSecrets(this.#options.db)
    if (!rows.some(({ purpose }) => purpose === 'mac'))
      await insertSecretIfAbsent(this.#options.db, this.#newRow('mac'))
    if (!rows.some(({ purpose, retires_at }) => purpose === 'jwt' && retires_at === null)) {
      await insertSecretIfAbsent(this.#options.db, this.#newRow('jwt'))
    }
  }

  #newRow(purpose: 'jwt' | 'mac'): SecretRow {
    const plain =
      purpose === 'mac'
        ? randomBytes(32)
        : generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' })
    const { passphrase, now } = this.#options
    return {
      secret_id: newOpaqueId(now()),
      purpose,
      material: passphrase === undefined ? plain : seal(plain, passphrase),
      sealed: passphrase !== undefined,
      created_at: now(),
      retires_at: null,
    }
  }

  /** The operator has set PLIMSOLL_SECRET_KEY later than the first start. */
  async #sealAtRest(row: SecretRow): Promise<void> {
    const { passphrase, db } = this.#options
    if (passphrase !== undefined) await replaceSecret(db, row.secret_id, seal(row.material, passphrase))
  }

  #open(row: SecretRow): Buffer {
    if (!row.sealed) return row.material
    const { passphrase } = this.#options
    if (passphrase === undefined)
      throw new StartupError('The secrets in the database are sealed: set PLIMSOLL_SECRET_KEY.')
    try {
      return unseal(row.material, passphrase)
    } catch {
      throw new StartupError('PLIMSOLL_SECRET_KEY is not the key that the secrets in the database were sealed with.')
    }
  }

  #openKey(row: SecretRow): SigningKey {
    const privateKey = createPrivateKey({ key: this.#open(row), type: 'pkcs8', format: 'der' })
    return {
      kid: row.secret_id,
      privateKey,
      publicKey: createPublicKey(privateKey),
      createdAt: row.created_at,
      retiresAt: row.retires_at,
    }
  }
}
