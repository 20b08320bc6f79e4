/** Files that are read at run time. Sources and release lie at the same depth, so these hold for both. */
export const migrationsDirectory = new URL('../migrations/', import.meta.url)
export const priceBookFile = new URL('../../pricebook/book/pricebook.json.br', import.meta.url)
export const assetsDirectory = new URL('../assets/', import.meta.url)
/** The agent's chart, and the same as one file. */
export const agentDirectory = new URL('../../../deploy/agent/', import.meta.url)
export const webDirectory = new URL('../../web/dist/', import.meta.url)

/** Beside main, in the sources as well as in the release. */
const worker = (name: string) =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.mjs' : '.js'}`, import.meta.url)
export const serviceWorkerFile = worker('service-worker')
export const foldWorkerFile = worker('fold-worker')
export const figuresWorkerFile = worker('figures-worker')
export const priceBookWorkerFile = worker('price-book-worker')
export const analysisWorkerFile = worker('analysis-worker')
export const parseWorkerFile = worker('parse-worker')
