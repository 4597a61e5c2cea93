import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { createBundles } from './build/bundles.ts'
import { contractWithoutZod } from './build/contract-without-zod.ts'
import { landFiles } from './build/land-files.ts'
import { listFiles } from './build/list-files.ts'
import { preloadInside } from './build/preload-inside.ts'
import { wholeDictionaries } from './build/whole-dictionaries.ts'

const platform = process.env.BUSBAR_URL ?? 'http://127.0.0.1:8080'

/** The contract's routes but those of signing in, its errors' texts and rules that no page before a session reads. */
const insideRoutes =
  /contract-without-zod[\\/](?!accounts|agentConfig|annotations|boards|brands|checks|registration|codes|destinations|downloads|onboarding|alarmContacts|alarmRules|exports|map|notifications|places|project|reports|retention|sims|sites|smsStock|operator|scada|tagSettings|tiles|views)|contract[\\/]src[\\/](errors|alarm-limits|audit-states|board-limits|board-refs|code-pattern|decimals|export-limits|form-rules|may-call|platform-alarms|report-limits|site-limits|sms-segments|tag-limits|view-limits)\.ts/

/** Of packages, what every screen behind a session stands on: the router, the data cache. */
const insidePackages = /@tanstack[\\/](query-core|react-query|react-router|router-core|history)[\\/]/

/** The push's frames and the library that reads them: fetched once the first screen stands. */
const pushModules = /@bufbuild[\\/]|contract[\\/]push[\\/]|src[\\/]shared[\\/]api[\\/]push-(wire|messages)/

/**
 * The modules that every screen behind a session needs: a few files fetched together arrive sooner than many
 * small ones, each of which waits for its turn. The imports of these modules come with them.
 */
const insideModules =
  /src[\\/](shared[\\/]ui[\\/]more-icon|main[\\/](?!main\.|palette|shortcut-sheet)|entities[\\/]machine[\\/](enter-machine|visit-icons)|features[\\/]visits[\\/]visit-bar)/

/** Also of pages beside a session: the API reference, the links in mails, the programs to download. */
const layoutModules = /src[\\/]shared[\\/]ui[\\/](layout[\\/]|copy-text)/

/** The list that nearly every visit begins with, and what others share with it. */
const listModules = /src[\\/]features[\\/]devices[\\/](list[\\/]|personal-devices-page)/

/** Small parts that nearly every page with a form, tabs or a question needs. */
const formModules =
  /src[\\/](shared[\\/]ui[\\/]((form|dialogs[\\/]confirm-dialog|centre|tabs|switch|pager|file-picker|use-chosen-in-sight|number-field[\\/]number-text|copy-code|pane[\\/]fact-list)|fields[\\/](choice|setting)|data[\\/]save-file)|entities[\\/](data-centre[\\/]|visit[\\/]entering|application[\\/]waiting))/

/** Fields that nearly every page with a table has in its forms. */
const tableFormModules =
  /src[\\/](shared[\\/]ui[\\/](combo-box[\\/]combo-box|zone-picker|time-zones|fields[\\/](chips|text-area)|dialogs[\\/](bulk-dialog|run-bulk)|data[\\/]time-span)|entities[\\/](machine[\\/](lazy-variable-picker|space-machines)|sim[\\/]sim-queries))/

/** The pane of a device asks for its card, which pages with tables list. */
const simRoutes = /contract-without-zod[\\/]sims/

/** Of alarms and their rules: the pane of a device, the alarm centre and the pages of rules. */
const alarmModules =
  /src[\\/](entities[\\/](alarm-rule[\\/]|alarm[\\/](?!alarm-queries|alarm-told|use-alarm-sync))|shared[\\/]ui[\\/]data[\\/]trend-chart)/

/** Of visits and the rights to them: the pane of a device, the administration and the centre of a company's visits. */
const visitModules = /src[\\/]entities[\\/](access|visit[\\/](visit-words|use-access-sync|pane|live|history))/

/** The library of the kit has its own texts in thirty languages; the console speaks two. */
const kitLocales = optimizeLocales.vite({ locales: ['zh-CN', 'en-US'] })

const bundles = createBundles()

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
    // Everything on screen is same-origin and already preloaded by the pages that need it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A few files that are always needed together, instead of one for every module that two pages
          // share.
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|rolldown[\\/]runtime|contract[\\/]src[\\/](limits|text)\.ts/,
              priority: 5,
            },
            { name: 'routes', test: insideRoutes, priority: 5 },
            // Of imports and downloads: no page before a session has a table.
            {
              name: 'tables',
              test: /contract[\\/]src[\\/](csv|decode-table|read-csv|table-fault)\.ts/,
              priority: 5,
            },
            { name: 'operator-routes', test: /contract-without-zod[\\/](operator|scada)/, priority: 5 },
            // Of a brand's colours and a QR code's.
            { name: 'accent', test: /contract[\\/]src[\\/]accent/, priority: 5 },
            // The pages before the sign-in need only these routes.
            { name: 'joining-routes', test: /contract-without-zod[\\/](registration|codes)/, priority: 5 },
            {
              name: 'data-routes',
              test: /contract-without-zod[\\/](alarmContacts|alarmRules|notifications|smsStock|agentConfig|annotations|boards|exports|reports|retention|tagSettings|views)/,
              priority: 5,
            },
            {
              name: 'project-routes',
              test: /contract-without-zod[\\/](destinations|project)|contract[\\/]src[\\/](project-limits|topic-pattern)/,
              priority: 5,
            },
            // Of the map, a machine's place, and sites.
            {
              name: 'place-routes',
              test: /contract-without-zod[\\/](map|places|sites|tiles)|contract[\\/]src[\\/](place-fields|tile-fields|site-limits|metres-between)/,
              priority: 5,
            },
            // Of a dialog that is opened over any page.
            { name: 'checks-routes', test: /contract-without-zod[\\/]checks/, priority: 5 },
            { name: 'base', test: (id) => layoutModules.test(id) || bundles.isBase(id), priority: 4 },
            { name: 'sign-in', test: bundles.isSignIn, priority: 3 },

            { name: 'push', test: pushModules, priority: 3 },
            { name: 'inside', test: (id) => insideModules.test(id) || insidePackages.test(id), priority: 2 },
            { name: 'list', test: listModules, priority: 1 },
            { name: 'boards', test: bundles.isOfBoards, priority: 0, includeDependenciesRecursively: false },
            { name: 'forms', test: formModules, priority: 1 },
            // The map's library alone: pages with a map share it, and it changes with no release of ours.
            { name: 'maplibre', test: /node_modules[\\/](maplibre-gl|gcoord)[\\/]/, priority: 5 },
            // Several pages begin with a table, and need all that it is made of.
            {
              name: 'listing',
              test: (id) => bundles.isOfTables(id) || tableFormModules.test(id) || simRoutes.test(id),
              priority: 1,
            },
            { name: 'alarms', test: (id) => bundles.isOfPane(id) && alarmModules.test(id), priority: 0 },
            { name: 'visits', test: (id) => bundles.isOfPane(id) && visitModules.test(id), priority: 0 },
            // Several pages begin with a chart, and need all that it is made of.
            {
              name: 'charts',
              test: (id) => bundles.isOfCharts(id) || /uplot|trend-canvas/.test(id),
              priority: 1,
            },
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
  return {
    ...config,
    plugins: [
      ...(testing ? [] : [contractWithoutZod()]),
      react(),
      kitLocales,
      bundles,
      landFiles(),
      wholeDictionaries(),
      preloadInside(),
      listFiles(),
    ],
  }
})
