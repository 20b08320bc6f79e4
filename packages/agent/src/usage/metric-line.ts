export type Metric = { labels: Record<string, string>; value: number; at: number | undefined }

const line = /^[a-zA-Z_:][\w:]*\{([^]*)\} (\S+)(?: (\d+))?$/
const pair = /(?<!\w)([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** One line of the Prometheus text format; undefined: not a metric. The time in milliseconds is optional. */
export function parseMetricLine(text: string): Metric | undefined {
  const match = line.exec(text.trimEnd())
  const [, pairs = '', value = '', at] = match ?? []
  const number = Number(value)
  if (!match || !Number.isFinite(number)) return undefined
  const labels: Record<string, string> = {}
  for (const [, name = '', quoted = ''] of pairs.matchAll(pair)) labels[name] = unescape(quoted)
  return { labels, value: number, at: at === undefined ? undefined : Number(at) }
}

const unescape = (text: string) =>
  text.includes('\\') ? text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)) : text
