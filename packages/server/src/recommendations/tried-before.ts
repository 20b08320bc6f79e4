import { dayMs } from '@plimsoll/engine'
import { findingKey, addTrial, type Trial } from '@plimsoll/engine/rules'
import type { Db } from '../platform/db/database.ts'
import { listTrials } from './queries/verifications.ts'
import { type Found, openKey } from '@plimsoll/pipeline/advice'

/** How long a failed attempt is remembered: by then the workload has changed. */
const rememberedDays = 180

/** Marks findings that were applied before and reverted or regressed. */
export async function withTrials<WithFindings extends Found>(
  tx: Db,
  clusterId: string,
  found: WithFindings,
  now: Date,
): Promise<WithFindings> {
  const rows = await listTrials(tx, clusterId, new Date(now.getTime() - rememberedDays * dayMs))
  const trials = new Map(
    rows.map((row): [string, Trial] => [
      openKey(row.rule_id, row.target_key),
      {
        appliedAt: row.done_at.getTime() / 1000,
        takenBackAt: secondsOf(row.taken_back_at),
        failedAt: secondsOf(row.failed_at),
      },
    ]),
  )
  const findings = found.findings.map((finding) => {
    const trial = trials.get(findingKey(finding))
    return trial ? addTrial(finding, trial) : finding
  })
  return { ...found, findings }
}

const secondsOf = (at: Date | null) => at && at.getTime() / 1000
