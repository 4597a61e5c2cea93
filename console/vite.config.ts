import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { contractWithoutZod } from './build/contract-without-zod.ts'
import { preloadInside } from './build/preload-inside.ts'

/** Whatever has one of these in its path, with the slashes of any system. */
function folders(...parts: string[]): RegExp {
  return new RegExp(parts.join('|').replaceAll('/', '[\\\\/]'))
}

const platform = process.env.BUSBAR_URL ?? 'http://127.0.0.1:8080'

/** What the screens before a session stand on; every other screen needs it too. */
const baseModules = folders(
  'src/entities/account/account-(entry|field)',
  'src/shared/ui/fields/(country-select|password-field)',
  'src/shared/i18n/(language|format)',
  'src/shared/api/(client|failures|reachability|store)',
  'src/shared/session/(address|brand|mobile|preference|search|session\\.|switch|theme|use-title)',
  'src/shared/ui/(base|brand|button|classes|field\\.|fonts|icon|layout|notice|preference|screen|segmented|tokens|tooltip)',
)

/** The sign-in, and what the other screens before a session take from it. */
const signInModules = folders(
  'src/main/outside',
  'src/shared/session/(outside-address|own-path|remembered)',
  'src/shared/ui/outside/',
  'src/features/sign-in/(session|brand-picture|login-|recent|sign-in\\.)',
  'src/entities/account/(enter|sign-in)\\.',
)

/** The contract's routes but those of signing in, and its errors' texts, which the base would draw in with its own. */
const insideRoutes = /contract-without-zod[\\/](?!accounts|brands)|contract[\\/]src[\\/]errors\.ts/

/**
 * What every screen behind a session stands on: few files fetched at once come sooner than many small ones, each of
 * which waits for its turn.
 */
const insideModules = folders(
  '@tanstack/(query-core|react-query|react-router|router-core|history)/',
  '@bufbuild/',
  'contract/push/',
  'src/shared/(api|ui|session)/[^/]+$',
  'src/main/(?!main\\.|outside|palette|shortcut-sheet)',
  'src/entities/machine/(machine-queries|enter-machine|visit-icons)',
  'src/shared/i18n/(index|text)\\.ts',
)

/** The list that nearly every visit begins with, and what others share with it. */
const listModules = /src[\\/]features[\\/]devices[\\/]list[\\/]machine-list-page/

const config = {
  root: import.meta.dirname,
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': platform,
      '/eapi': platform,
      '/machine-types': platform,
      '/uploads': platform,
      '/readyz': platform,
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
          // Few files that are always wanted together, instead of one for every module that two pages share.
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 4 },
            { name: 'routes', test: insideRoutes, priority: 4 },
            { name: 'base', test: baseModules, priority: 3 },
            { name: 'sign-in', test: signInModules, priority: 2 },
            { name: 'inside', test: insideModules, priority: 1 },
            { name: 'list', test: listModules, priority: 0 },
          ],
        },
      },
    },
  },
} satisfies UserConfig

export default defineConfig(({ command }) => {
  // A NODE_ENV of the shell that starts the build must not put React's development build into it.
  if (command === 'build') process.env.NODE_ENV = 'production'
  // Tests see the contract as it is; what is built or developed sees it without its schemas.
  const testing = command === 'serve' && process.env.VITEST !== undefined
  return { ...config, plugins: [...(testing ? [] : [contractWithoutZod()]), react(), preloadInside()] }
})
