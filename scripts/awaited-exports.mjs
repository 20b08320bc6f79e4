// Exports of the engine that only tests and benches use so far, by folder, with the reason. `test-only-exports.mjs` fails
// on an entry that product code uses: remove it then.
export const awaitedExports = new Map([])

/** A key is `path: name`. */
export const awaitedKey = (key) => key.replace(/\/[^/]*\.ts: /, ': ')
