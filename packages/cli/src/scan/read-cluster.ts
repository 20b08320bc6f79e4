import { setTimeout as sleep } from 'node:timers/promises'
import {
  agentFacts,
  EpochWriter,
  httpClient,
  kubeconfigAccess,
  openObserver,
  type Condition,
  type Observer,
} from '@plimsoll/agent'
import type { Batch } from '@plimsoll/contract'
import { CliError, exitCodes } from '../exit-codes.ts'
import { version } from '../version.ts'

export type ReadOptions = {
  /** Kubeconfig files in the order of KUBECONFIG. */
  paths: readonly string[]
  context: string | undefined
  env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  now: () => number
  secondsMax: number
}

export type ReadCluster = {
  /** Seconds since 1970. */
  observedAt: number
  snapshotAt: (second: number) => Iterable<Batch>
  /** Kinds of objects that could not be read. */
  missing: readonly MissingKind[]
}

export type MissingKind = { kind: string; reason: string; message: string }

const pollMs = 100
/** Without these kinds there is no cost. */
const needed = ['nodes', 'namespaces', 'pods']

/** Lists all objects of a cluster once, with the code of the agent. */
export async function readCluster({ paths, context, env, now, secondsMax }: ReadOptions): Promise<ReadCluster> {
  const access = await kubeconfigAccess({ paths, context, env, now }).catch((error: Error) => {
    throw new CliError(error.message, exitCodes.usage)
  })
  const client = httpClient(access, `plimsoll/${version}`)
  const observer = openObserver({
    client,
    version,
    usage: { wanted: 'none' },
    now,
    log: () => undefined,
    // Spreads the retries of many agents, and there is only one scan.
    random: () => 0,
  })
  try {
    await listed(observer, now() + secondsMax * 1000, now)
    const observedAt = Math.floor(now() / 1000)
    const living = observer.living(observedAt)
    const facts = agentFacts(observer)
    const snapshotAt = (second: number) =>
      new EpochWriter({ agent: () => facts, epoch: 'scan' }).snapshot(living, second)
    return { observedAt, snapshotAt, missing: observer.conditions().flatMap(missingKind) }
  } finally {
    await observer.stop()
    client.close()
  }
}

/** The conditions of the agent name its ClusterRole, which a scan does not have. */
function missingKind({ kind, status, reason, message, detail = '' }: Condition): MissingKind[] {
  if (kind === 'usage') return []
  if (status === 'forbidden' || reason === 'OptionalRightMissing') {
    return [{ kind, reason: 'forbidden', message: `The kubeconfig has no permission to list and watch ${kind}.` }]
  }
  return status === 'failing' ? [{ kind, reason: 'failing', message: `${message} ${detail}`.trim() }] : []
}

/** A needed kind that is forbidden is retried by the agent; a scan ends with the names of the missing permissions. */
async function listed(observer: Observer, deadlineMs: number, now: () => number): Promise<void> {
  let isSynced = false
  void observer.synced.then(() => (isSynced = true))
  let forbiddenPolls = 0
  while (!isSynced) {
    await sleep(pollMs)
    const conditions = observer.conditions()
    const refused = conditions.filter(({ kind, status }) => needed.includes(kind) && status === 'forbidden')
    forbiddenPolls = refused.length > 0 ? forbiddenPolls + 1 : 0
    // The other needed kinds may be refused a moment later.
    if (forbiddenPolls > 10) {
      const kinds = refused.map(({ kind }) => kind).join(', ')
      throw new CliError(
        `The kubeconfig has no permission to list and watch ${kinds}. A scan needs ${needed.join(', ')}.`,
        exitCodes.notAllowed,
      )
    }
    if (now() > deadlineMs) throw unreachable(conditions)
  }
}

function unreachable(conditions: readonly Condition[]): CliError {
  const [first] = conditions.filter(({ kind, status }) => kind !== 'usage' && status === 'failing')
  const detail = first ? ` ${first.message} ${first.detail ?? ''}` : ''
  return new CliError(`The cluster did not list all objects in time.${detail}`, exitCodes.unreachable)
}
