// A dynamic import of this module has the functions by name also in a bundle, where the package is CommonJS.
export { parse, parseAllDocuments, stringify } from 'yaml'
