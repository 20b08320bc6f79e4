export { loadPriceBook } from './load-price-book.ts'
