import type { Command } from 'commander'
import type { Session } from '../commands/session.ts'
import { usageError } from '../exit-codes.ts'
import type { ScanOptions } from './scan.ts'

export function addScanCommand(program: Command, session: Session): void {
  program
    .command('scan')
    .summary('Analyze a cluster without a server')
    .description(
      'Reads the cluster of the current kubeconfig context, and prints its run rate at list prices, unallocated cost and plan. ' +
        'The output formats json and yaml also contain the recommendations and the withheld ones with their reasons. ' +
        'The scan only reads, and no data leaves your machine.',
    )
    .option('--kubeconfig <files>', 'kubeconfig files; default: KUBECONFIG or ~/.kube/config')
    .option('--kube-context <name>', 'context of the kubeconfig; default: the current one')
    .option('--provider <provider>', 'cloud provider, if the nodes do not name it')
    .option('--region <region>', 'region, if the nodes do not name it')
    .option('--timeout <seconds>', 'time limit for reading the cluster', '120')
    .action(async (options: ScanOptions) => {
      if (!(Number(options.timeout) > 0)) throw usageError(`"${options.timeout}" is not a number of seconds.`)
      // Loaded on demand, because the other commands must start fast.
      const { scan } = await import('./scan.ts')
      await scan(session, options)
    })
}
