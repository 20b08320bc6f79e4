import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev -w packages/web` finds the service. */
const service = process.env.PLIMSOLL_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), tailwind()],
  build: {
    target: 'es2022',
    // The Content-Security-Policy allows no data: scripts or styles, so assets stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/api': service, '/auth': service, '/docs': service, '/openapi.json': service } },
})
