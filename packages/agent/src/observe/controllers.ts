import type { ObjectSpec } from '@plimsoll/contract'
import type { ObjectFacts } from '../kinds/objects.ts'
import type { WorkloadFacts } from '../kinds/workloads.ts'
import type { Chronicle } from './chronicle.ts'
import type { Owners } from './owners.ts'

/** Of a CronJob that never succeeds, so many failures are counted and no more. */
const runsMax = 1000

/** What is told about controllers themselves. */
export class Controllers {
  readonly #owners: Owners
  readonly #objects: Chronicle<ObjectFacts>
  /** When the last Jobs of a CronJob failed, by the uid of the CronJob and their own. */
  readonly #failures = new Map<string, Map<string, number>>()

  constructor(owners: Owners, objects: Chronicle<ObjectFacts>) {
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
    // Kinds are watched one by one: of a CronJob that is not known when its Jobs go, no more will be heard.
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

  /** Also of Jobs that have been cleaned up since, as far as they were seen. */
  #failuresInARow(uid: string, { last_success_at: success = 0 }: ObjectSpec<'workload'>) {
    const runs = this.#failures.get(uid)
    if (!runs) return {}
    for (const [job, failedAt] of runs) if (failedAt <= success) runs.delete(job)
    return runs.size === 0 ? {} : { failures_in_a_row: runs.size }
  }
}
