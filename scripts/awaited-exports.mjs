// Exports of the engine that only tests and benches use so far, by folder, with the reason. `test-only-exports.mjs` fails
// on an entry that product code uses: remove it then.
const budgets = 'Budgets of the server use it next.'

export const awaitedExports = new Map([
  ['packages/engine/src/forecast: forecastPeriod', budgets],
  ['packages/engine/src/forecast: outlookFor', budgets],
  ['packages/engine/src/forecast: periodAround', budgets],
])

/** A key is `path: name`. */
export const awaitedKey = (key) => key.replace(/\/[^/]*\.ts: /, ': ')
