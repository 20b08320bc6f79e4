export type Sample = { name: string; labels: Record<string, string>; value: number }

const line = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

/** The samples of an answer in the text format of Prometheus. */
export const readMetrics = (text: string): Sample[] =>
  text.split('\n').flatMap((each) => {
    const [, name, labels = '', value] = line.exec(each) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(label)].map(([, key = '', content = '']) => [key, content] as const)
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
