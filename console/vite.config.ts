import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractWithoutZod } from './build/contract-without-zod.ts'

const platform = process.env.BUSBAR_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractWithoutZod(), react()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': platform,
      '/eapi': platform,
      '/healthz': platform,
      '/echo.io': { target: platform, ws: true },
    },
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    manifest: true,
    // Everything on screen is same-origin and already preloaded by the pages that need it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            {
              name: 'router',
              test: /node_modules[\\/]@tanstack[\\/](react-router|router-core|history|react-store|store)[\\/]/,
            },
          ],
        },
      },
    },
  },
})
