/** The build without a native program: it runs in the same thread, on every machine. */
declare module 'recheck/lib/browser.js' {
  export { checkSync } from 'recheck'
}
