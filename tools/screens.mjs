// `npm run screens`: writes every screen in every language, theme and width.
import { runScript } from './run-script.mjs'

await runScript('e2e/src/screens.ts', process.argv.slice(2))
