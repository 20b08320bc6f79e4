export type Sample = { name: string; labels: Record<string, string>; value: number }

/** The samples of an answer in the text format of Prometheus. The names in tests contain no quotes. */
export const readMetrics = (text: string): Sample[] =>
  text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    const at = line.lastIndexOf(' ')
    const [name = '', labels = ''] = line.slice(0, at).split('{')
    return [{ name, labels: readLabels(labels.slice(0, -1)), value: Number(line.slice(at + 1)) }]
  })

const readLabels = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('",')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [key = '', value = ''] = pair.split('="')
        return [key, value.endsWith('"') ? value.slice(0, -1) : value]
      }),
  )
