/** Packages with hundreds of files are part of the bundles: loading them one by one would take half of the start time. */
export const bundledPackages = new Set(['@fastify/type-provider-typebox', 'jose', 'kysely', 'typebox'])
