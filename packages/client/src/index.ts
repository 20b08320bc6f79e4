export { ApiError } from './api-error.ts'
export { createClient, type Client } from './client.ts'
