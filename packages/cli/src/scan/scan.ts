import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { analyseOffline } from '@plimsoll/pipeline'
import { parsePriceBook } from '@plimsoll/pricebook'
import type { Session } from '../commands/session.ts'
import { readCluster } from './read-cluster.ts'
import { presentScan, scanReport } from './scan-report.ts'

export type ScanOptions = {
  kubeconfig?: string
  kubeContext?: string
  provider?: string
  region?: string
  timeout: string
}

/** The package has a copy of the price list beside its files. */
const priceBookFile = import.meta.url.endsWith('.ts')
  ? new URL('../../../pricebook/book/pricebook.json.br', import.meta.url)
  : new URL('pricebook.json.br', import.meta.url)

const separator = process.platform === 'win32' ? ';' : ':'

/** Reads a cluster and analyzes it in this process. Nothing is sent to a server. */
export async function scan(session: Session, options: ScanOptions): Promise<void> {
  const { env, homeDirectory, now, warn } = session.deps
  const given = options.kubeconfig ?? env.KUBECONFIG ?? ''
  const cluster = await readCluster({
    paths: given === '' ? [join(homeDirectory, '.kube', 'config')] : given.split(separator),
    context: options.kubeContext,
    env,
    now: () => now().getTime(),
    secondsMax: Number(options.timeout),
  })
  const book = parsePriceBook(await readFile(priceBookFile))
  const place = { provider: options.provider ?? 'unknown', region: options.region ?? 'unknown' }
  const found = await analyseOffline({ ...cluster, book, place })
  const report = scanReport(cluster, found, book.version)
  await session.show(report, () => presentScan(report))
  for (const { message } of cluster.missing) session.markIncomplete(message)
  if (report.run_rate.unpriced_resources > 0) {
    session.markIncomplete(
      `${report.run_rate.unpriced_resources} resources have no price. The cost does not include them.`,
    )
  }
  warn('Container usage is not read. Without usage there is no right-sizing; connect a server for it.\n')
}
