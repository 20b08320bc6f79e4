export { ApiError } from './api-error.ts'
export { createClient, linkTo, type Client } from './client.ts'
