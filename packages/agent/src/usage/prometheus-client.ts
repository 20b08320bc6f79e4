import { httpClient } from '../kubernetes/http-client.ts'
import { ApiError, refusal } from '../watch/api-client.ts'
import { readList } from '../watch/read-list.ts'

export type PrometheusOptions = {
  /** The base URL, with the path before `/api/v1` if it has one. */
  url: string
}

/** One series: its labels, and values with their times in seconds. */
export type Series = { labels: Record<string, string>; values: [number, number][] }

export type Prometheus = {
  /** An instant query. */
  query(query: string, signal: AbortSignal, onSeries: (series: Series) => void): Promise<void>
  range(
    query: string,
    range: { from: number; to: number; stepSeconds: number },
    signal: AbortSignal,
    onSeries: (series: Series) => void,
  ): Promise<void>
}

type Result = { metric?: Record<string, string>; value?: [number, string]; values?: [number, string][] }

/** Streams series one by one, because an hour of a large cluster does not fit in memory. */
export function prometheusClient({ url }: PrometheusOptions): Prometheus {
  const client = httpClient({
    origin: url.replace(/(?<!\/)\/+$/, ''),
    credentials: async () => ({ headers: {}, tls: {} }),
  })
  const ask = async (
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
    onSeries: (series: Series) => void,
  ) => {
    const answer = await client.get(path, query, signal)
    if (answer.status !== 200) throw await refusal(answer, 'Prometheus')
    const around = await readList(answer.body, (entry) => onSeries(seriesOf(entry as Result)), 2)
    const { status: outcome, error = '' } = around as { status?: string; error?: string }
    if (outcome !== 'success') throw new ApiError(answer.status, error.slice(0, 300), { source: 'Prometheus' })
  }
  return {
    query: (query, signal, onSeries) => ask('/api/v1/query', { query }, signal, onSeries),
    range: (query, { from, to, stepSeconds }, signal, onSeries) =>
      ask(
        '/api/v1/query_range',
        { query, start: String(from), end: String(to), step: String(stepSeconds) },
        signal,
        onSeries,
      ),
  }
}

function seriesOf({ metric = {}, value, values = value ? [value] : [] }: Result): Series {
  const numbers = values.map(([time, number]): [number, number] => [time, Number(number)])
  return { labels: metric, values: numbers.filter(([, number]) => Number.isFinite(number)) }
}
