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
import {
  insertSecret,
  listSecrets,
  lockSecrets,
  replaceSecret,
  retireSigningKeys,
  type SecretRow,
} from './queries/secrets.ts'
import { newOpaqueId } from '../ids.ts'
import { StartupError } from '../startup-error.ts'
import { seal, sealValue, unseal, unsealValue } from './seal.ts'

export type SigningKey = {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  createdAt: Date
  retiresAt: Date | null
}

/** The first passphrase seals; the others open secrets that were sealed earlier. */
export type SecretsOptions = { db: Db; now: () => Date; passphrases?: readonly string[] }

/** An old key verifies for the lifetime of its last token, plus one hour. */
const retirementMs = 25 * 3_600_000

/** The secrets of the service: created at first start, shared by all replicas through the database, never defaulted. */
export class Secrets {
  readonly #options: SecretsOptions
  #macSecret: Buffer | undefined
  #keys = new Map<string, SigningKey>()

  private constructor(options: SecretsOptions) {
    this.#options = options
  }

  static async open(options: SecretsOptions): Promise<Secrets> {
    const secrets = new Secrets(options)
    await secrets.#makeMissing()
    await secrets.#load(options.db)
    return secrets
  }

  mac(text: string): Buffer {
    return createHmac('sha256', this.#openMacSecret).update(text).digest()
  }

  /** Encrypts a secret of a user, such as the address of a channel. `name` identifies its row. */
  sealValue(text: string, name: string): Buffer {
    return sealValue(text, this.#openMacSecret, name)
  }

  unsealValue(sealed: Buffer, name: string): string {
    return unsealValue(sealed, this.#openMacSecret, name)
  }

  get #openMacSecret(): Buffer {
    if (!this.#macSecret) throw new Error('the secrets are not open')
    return this.#macSecret
  }

  macMatches(text: string, mac: Buffer): boolean {
    const expected = this.mac(text)
    return mac.length === expected.length && timingSafeEqual(expected, mac)
  }

  /** The newest key that is not retiring, from the database: another replica may just have rotated. */
  async signingKey(db: Db = this.#options.db): Promise<SigningKey> {
    await this.#load(db)
    const [key] = [...this.#keys.values()].filter(({ retiresAt }) => retiresAt === null)
    if (!key) throw new Error('no current signing key')
    return key
  }

  /**
   * Another replica may just have created an unknown key. Every request checks in db/callers.ts, together with the
   * session, whether a known key has been retired.
   */
  async verificationKey(kid: string): Promise<SigningKey | undefined> {
    if (!this.#keys.has(kid)) await this.#load(this.#options.db)
    const key = this.#keys.get(kid)
    return key && (key.retiresAt === null || key.retiresAt > this.#options.now()) ? key : undefined
  }

  async rotateSigningKey(tx: Db, { endSessions }: { endSessions: boolean }): Promise<SigningKey> {
    const now = this.#options.now()
    const row = this.#newRow('jwt')
    await lockSecrets(tx)
    await retireSigningKeys(tx, endSessions ? now : new Date(now.getTime() + retirementMs))
    await insertSecret(tx, row)
    return this.#openKey(row)
  }

  /** Opened secrets stay open; only their retirement times change. */
  async #load(db: Db): Promise<void> {
    const rows = await listSecrets(db)
    for (const row of rows) await this.#sealAtRest(db, row)
    const mac = rows.find(({ purpose }) => purpose === 'mac')
    if (mac) this.#macSecret ??= this.#open(mac)
    const keys = rows.filter(({ purpose }) => purpose === 'jwt')
    this.#keys = new Map(
      keys.map((row) => {
        const key = this.#keys.get(row.secret_id) ?? this.#openKey(row)
        return [row.secret_id, { ...key, retiresAt: row.retires_at }]
      }),
    )
  }

  async #makeMissing(): Promise<void> {
    await this.#options.db.transaction().execute(async (tx) => {
      await lockSecrets(tx)
      const rows = await listSecrets(tx)
      const hasMac = rows.some(({ purpose }) => purpose === 'mac')
      const hasKey = rows.some(({ purpose, retires_at }) => purpose === 'jwt' && retires_at === null)
      if (!hasMac) await insertSecret(tx, this.#newRow('mac'))
      if (!hasKey) await insertSecret(tx, this.#newRow('jwt'))
    })
  }

  #newRow(purpose: 'jwt' | 'mac'): SecretRow {
    const plain =
      purpose === 'mac'
        ? randomBytes(32)
        : generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' })
    const { now } = this.#options
    const passphrase = this.#passphrase
    return {
      secret_id: newOpaqueId(now()),
      purpose,
      material: passphrase === undefined ? plain : seal(plain, passphrase),
      sealed: passphrase !== undefined,
      created_at: now(),
      retires_at: null,
    }
  }

  get #passphrase(): string | undefined {
    return this.#options.passphrases?.[0]
  }

  /** The key was set or changed after the first start. */
  async #sealAtRest(db: Db, row: SecretRow): Promise<void> {
    const passphrase = this.#passphrase
    if (passphrase === undefined || (row.sealed && unsealed(row.material, passphrase) !== undefined)) return
    await replaceSecret(db, row, seal(this.#open(row), passphrase))
  }

  #open(row: SecretRow): Buffer {
    if (!row.sealed) return row.material
    const { passphrases = [] } = this.#options
    if (passphrases.length === 0)
      throw new StartupError('The secrets in the database are encrypted. Set PLIMSOLL_SECRET_KEY.')
    for (const passphrase of passphrases) {
      const plain = unsealed(row.material, passphrase)
      if (plain !== undefined) return plain
    }
    throw new StartupError(
      'The secrets in the database are encrypted with another key. Set PLIMSOLL_SECRET_KEY to that key, ' +
        'or restore the file secret-key in the data directory.',
    )
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

function unsealed(material: Buffer, passphrase: string): Buffer | undefined {
  try {
    return unseal(material, passphrase)
  } catch {
    return undefined
  }
}
