import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { deleteEndedLeases, deleteLease, renewLease } from '../queries/fold-leases.ts'

/** Both together are the longest time that the clusters of a dead replica wait for another one. */
const leaseSeconds = 40
const renewMs = 10_000

/**
 * Shows other replicas that this one is alive and folds. A fold is queued for the replica that folded the cluster last,
 * and no other replica takes it while that one runs. This only avoids loading states. The fold lock and the checkpoint
 * version prevent concurrent folds.
 */
export class FoldLease {
  readonly #db: Db
  readonly #holder: string
  readonly #log: FastifyBaseLogger
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #renewing: Promise<void> = Promise.resolve()
  #others: readonly string[]

  private constructor(options: { db: Db; holder: string; log: FastifyBaseLogger }, others: readonly string[]) {
    this.#db = options.db
    this.#holder = options.holder
    this.#log = options.log
    this.#others = others
    this.#renewLater()
  }

  static async take(options: { db: Db; holder: string; log: FastifyBaseLogger }): Promise<FoldLease> {
    await deleteEndedLeases(options.db)
    return new FoldLease(options, await renewLease(options.db, options.holder, leaseSeconds))
  }

  /** Other replicas that were alive at the last renewal. */
  get others(): readonly string[] {
    return this.#others
  }

  async renew(): Promise<void> {
    try {
      this.#others = await renewLease(this.#db, this.#holder, leaseSeconds)
    } catch (error) {
      this.#log.warn(
        { err: error },
        'cannot renew the lease for batch processing; another replica may process these clusters',
      )
    }
  }

  /** Renewals run one after another: an older list of replicas never replaces a newer one. */
  #renewLater(): void {
    this.#timer = setTimeout(() => {
      this.#renewing = this.renew().then(() => (this.#isStopped ? undefined : this.#renewLater()))
    }, renewMs).unref()
  }

  /** The clusters of this replica are free at once. */
  async release(): Promise<void> {
    await this.stopRenewing()
    await deleteLease(this.#db, this.#holder).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'cannot release the lease for batch processing; the lease expires on its own'),
    )
  }

  /** As if the replica had crashed: its lease expires. */
  async stopRenewing(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#renewing
  }
}
