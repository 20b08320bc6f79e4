/** Files that are read at run time. Sources and release have the same depth, so the paths work for both. */
export const migrationsDirectory = new URL('../migrations/', import.meta.url)
export const priceBookFile = new URL('../../pricebook/book/pricebook.json.br', import.meta.url)
export const assetsDirectory = new URL('../assets/', import.meta.url)
/** The chart of the agent, and the manifest. */
export const agentDirectory = new URL('../../../deploy/agent/', import.meta.url)
export const webDirectory = new URL('../../web/dist/', import.meta.url)

/**
 * Built files beside main. The sources also start the built files: loading a worker from TypeScript takes ten times as
 * long.
 */
const worker = (name: string) =>
  new URL(`${import.meta.url.endsWith('.ts') ? '../dist' : '.'}/${name}.js`, import.meta.url)
export const serviceWorkerFile = worker('service-worker')
export const foldWorkerFile = worker('fold-worker')
export const figuresWorkerFile = worker('figures-worker')
export const incidentsWorkerFile = worker('incidents-worker')
export const priceBookWorkerFile = worker('price-book-worker')
export const analysisWorkerFile = worker('analysis-worker')
export const parseWorkerFile = worker('parse-worker')
export const focusWorkerFile = worker('focus-worker')
