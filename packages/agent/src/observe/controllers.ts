import type { ObjectSpec } from '@plimsoll/contract'
import type { ObjectFacts } from '../kinds/objects.ts'
import type { WorkloadFacts } from '../kinds/workloads.ts'
import type { ObjectVersions } from './object-versions.ts'
import type { Owners } from './owners.ts'

/** The maximum number of failures per CronJob. */
const runsMax = 1000

/** The controllers as objects. */
export class Controllers {
  readonly #owners: Owners
  readonly #objects: ObjectVersions<ObjectFacts>
  /** Failure times of Jobs, by the uid of the CronJob and the uid of the Job. */
  readonly #failures = new Map<string, Map<string, number>>()

  constructor(owners: Owners, objects: ObjectVersions<ObjectFacts>) {
    this.#owners = owners
    this.#objects = objects
  }

  set(workload: WorkloadFacts, second: number): void {
    this.#owners.setWorkload(workload)
    const { kind, owner } = workload
    if (kind === 'Job' && owner?.kind === 'CronJob') this.#noteRun(workload, owner.uid ?? '', second)
    else this.#record(workload, second)
  }

  end(uid: string, second: number): void {
    const workload = this.#owners.workloads.get(uid)
    this.#owners.endWorkload(uid)
    this.#objects.end(uid, second)
    if (workload?.kind === 'CronJob') this.#failures.delete(uid)
    const { uid: maker } = workload?.owner ?? {}
    // Each kind has its own watch, so an unknown CronJob may have been deleted before its Jobs.
    if (maker !== undefined && !this.#owners.workloads.has(maker)) this.#failures.delete(maker)
  }

  #noteRun({ uid, failedAt }: WorkloadFacts, cronJobUid: string, second: number): void {
    if (failedAt === 0) return
    const runs = this.#failures.get(cronJobUid) ?? new Map<string, number>()
    this.#failures.set(cronJobUid, runs)
    runs.set(uid, failedAt)
    for (const oldest of runs.keys()) {
      if (runs.size <= runsMax) break
      runs.delete(oldest)
    }
    const cronJob = this.#owners.workloads.get(cronJobUid)
    if (cronJob) this.#record(cronJob, second)
  }

  #record({ uid, name, namespace, kind, spec }: WorkloadFacts, second: number): void {
    const whole = kind === 'CronJob' ? { ...spec, ...this.#failuresInARow(uid, spec) } : spec
    this.#objects.set({ uid, name, namespace, kind: 'workload', spec: whole }, second)
  }

  /** Includes failures of deleted Jobs that were seen before. */
  #failuresInARow(uid: string, { last_success_at: success = 0 }: ObjectSpec<'workload'>) {
    const runs = this.#failures.get(uid)
    if (!runs) return {}
    for (const [job, failedAt] of runs) if (failedAt <= success) runs.delete(job)
    return runs.size === 0 ? {} : { failures_in_a_row: runs.size }
  }
}
