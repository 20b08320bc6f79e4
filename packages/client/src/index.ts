export { ApiError } from './api-error.ts'
export { createClient, type Client, type ClientOptions, type Credential } from './client.ts'
