import { guarded, ownValues, parseChartLabel, shellWord } from '@plimsoll/engine/manifests'

type Charted = {
  namespace: string
  /** As `helm` takes it; null: unknown. */
  chart: string | null
  /** The label `helm.sh/chart` of the workload; null: unknown. */
  chartLabel: string | null
}

/** The command that shows whether the chart uses the path. A newer chart than the running one would prove nothing. */
export function proofCommand(valuesPath: string, sentinel: string, { namespace, chart, chartLabel }: Charted): string {
  const setting = shellWord(`${valuesPath}.requests.cpu=${sentinel}`)
  const from = chart === null ? guarded('CHART') : shellWord(chart)
  const version = parseChartLabel(chartLabel ?? '')?.version
  const pinned = version === undefined ? '' : ` --version ${shellWord(version)}`
  return `helm template ${guarded('RELEASE')} ${from} -n ${shellWord(namespace)}${pinned} ${ownValues('VALUES')} --set-string ${setting}`
}
