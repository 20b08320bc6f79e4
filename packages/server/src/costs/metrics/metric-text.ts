export type Labels = Readonly<Record<string, string>>
export type Series = { labels: Labels; value: number }

/** A gauge with its series. */
export type Family = { name: string; help: string; series: readonly Series[] }

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escaped = (value: string) => value.replaceAll(/[\\"\n]/g, (character) => escapes[character] ?? character)

/** An empty label is the same as no label. */
function labelText(labels: Labels): string {
  const parts = Object.entries(labels).flatMap(([name, value]) => (value === '' ? [] : [`${name}="${escaped(value)}"`]))
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

export const countSeries = (families: readonly Family[]): number =>
  families.reduce((count, { series }) => count + series.length, 0)

/** The text exposition format of Prometheus. A family without series is left out. */
export const metricText = (families: readonly Family[]): string =>
  families
    .filter(({ series }) => series.length > 0)
    .map(({ name, help, series }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        ...series.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
        '',
      ].join('\n'),
    )
    .join('')
