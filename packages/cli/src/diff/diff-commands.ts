import type { Command } from 'commander'
import type { Session } from '../commands/session.ts'
import { usageError } from '../exit-codes.ts'
import type { DiffOptions } from './diff.ts'
import type { Policies } from './policies.ts'

type CheckOptions = DiffOptions & {
  maxIncrease?: string
  maxIncreasePercent?: string
  requireRequests?: true
  ratchet?: true
}

const sent =
  'Kind, name, replicas, schedule and resources are sent to the server, never environment variables or arguments.'

export function addDiffCommands(program: Command, session: Session): void {
  withSources(program.command('diff'))
    .summary('Show the cost of a change of manifests')
    .description(
      `Compares manifests with another revision (--base) or with the cluster: the cost of the requests, and what the bill will do. ${sent}`,
    )
    .action(async (options: DiffOptions) => {
      const { diff } = await import('./diff.ts')
      await diff(session, options)
    })
  withSources(program.command('check'))
    .summary('Check a change of manifests against policies')
    .description(`As diff, with policies. A broken policy is exit code 3. ${sent}`)
    .option('--max-increase <usd>', 'highest increase of the cost of the requests per month')
    .option('--max-increase-percent <percent>', 'highest increase in percent of the changed workloads')
    .option('--require-requests', 'every container of a changed workload has a CPU and a memory request')
    .option('--ratchet', 'no request above a recommended size that was verified in the last 90 days')
    .action(async (options: CheckOptions) => {
      const policies = policiesOf(options)
      const { diff } = await import('./diff.ts')
      await diff(session, options, policies)
    })
}

const withSources = (command: Command): Command =>
  command
    .option('-f, --filename <paths...>', 'files, directories of manifests, Helm charts, or - for standard input')
    .option('-k, --kustomize <directory>', 'kustomization, rendered by kubectl or kustomize')
    .option('--values <files...>', 'values files for Helm charts')
    .option('--base <revision>', 'git revision to compare with; default: the cluster')
    .option('--cluster <name>', 'name or ID of the cluster')
    .option('-n, --namespace <name>', 'namespace of objects without one', 'default')

function policiesOf({ maxIncrease, maxIncreasePercent, requireRequests, ratchet }: CheckOptions): Policies {
  const policies: Policies = {
    ...(maxIncrease === undefined ? {} : { maxIncrease: amountOf('--max-increase', maxIncrease) }),
    ...(maxIncreasePercent === undefined
      ? {}
      : { maxIncreasePercent: amountOf('--max-increase-percent', maxIncreasePercent) }),
    ...(requireRequests ? { requireRequests } : {}),
    ...(ratchet ? { ratchet } : {}),
  }
  if (Object.keys(policies).length === 0) {
    throw usageError('Name a policy: --max-increase, --max-increase-percent, --require-requests or --ratchet.')
  }
  return policies
}

function amountOf(option: string, value: string): number {
  const amount = Number(value)
  if (value.trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount
  throw usageError(`${option}: "${value}" is not an amount such as 100.`)
}
