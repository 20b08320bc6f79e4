import type { Container } from './kube-types.ts'

/** Environment variables with options of the JVM. */
const variables = new Set(['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS', 'JAVA_OPTS', 'CATALINA_OPTS'])

const factors: Readonly<Record<string, number>> = { '': 1 / 1024, k: 1, m: 1024, g: 1024 ** 2, t: 1024 ** 3 }

/**
 * The maximum heap of a container in KiB. It needs an opt-in, because it reads arguments and variables. Only this
 * number is stored.
 */
export function heapMaxKib({ command = [], args = [], env = [] }: Container): number | undefined {
  const options = env.flatMap(({ name = '', value = '' }) => (variables.has(name) ? [value] : []))
  let kib: number | undefined
  for (const text of [...options, ...command, ...args]) {
    for (const [, digits, unit = ''] of text.matchAll(/(?:^|\s)-Xmx(\d{1,15})([kKmMgGtT]?)(?=\s|$)/g)) {
      // The JVM uses the last option.
      kib = Math.ceil(Number(digits) * (factors[unit.toLowerCase()] ?? 1))
    }
  }
  return kib
}
