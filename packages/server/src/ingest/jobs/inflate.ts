import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** The body of a stored batch. */
export const inflate = promisify(gunzip)
