import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { untilStill } from '@busbar/testkit/still.ts'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Minified, because each page reads it anew. */
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axeScript = `(() => { ${readFileSync(axeFile, 'utf8')} })()`

/** The rules that a theme alone can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** Rules about a page as a whole, which an open menu hides from screen readers. */
const pageRules = { 'landmark-one-main': { enabled: false }, 'page-has-heading-one': { enabled: false } }

/** Fields that are inactive: the text in one needs no contrast (WCAG 1.4.3), which axe knows of the input alone. */
const inactive = JSON.stringify([[':has(> input:disabled)']])

/** Everything axe is certain of, once the page stands still. */
export async function findFaults(page: Page, name: string): Promise<string[]> {
  const isMenuOpen = (await page.getByRole('menu').count()) > 0
  return runAxe(page, name, 'document', isMenuOpen ? { rules: pageRules } : {})
}

/** The layer over a page: the dialog, panel or menu that opened last; of a notice, the whole page. */
const topLayer = `[...document.querySelectorAll('dialog[open], [role="dialog"], [role="menu"]')].at(-1) ?? document`

/** The same of the layer over a page. */
export function findLayerFaults(page: Page, name: string): Promise<string[]> {
  return runAxe(page, name, topLayer, { rules: pageRules })
}

/** Axe's findings about colours only: for another theme of a page that was already checked. */
export function findFaintColours(page: Page, name: string): Promise<string[]> {
  return runAxe(page, name, 'document', { runOnly: colourRules })
}

/** The same of the layer over a page. */
export function findFaintLayerColours(page: Page, name: string): Promise<string[]> {
  return runAxe(page, name, topLayer, { runOnly: colourRules })
}

async function runAxe(page: Page, name: string, context: string, options: object): Promise<string[]> {
  await untilStill(page)
  // Evaluated, not added, because the console's content security policy refuses every foreign script. Once
  // for each page: to send and read half a megabyte takes as long as a small page's rules.
  if (await page.evaluate<boolean>('globalThis.axe === undefined')) await page.evaluate(axeScript)
  // Without a preload, which copies imported style sheets into the page, against its policy, for one rule about turning.
  const all = JSON.stringify({ preload: false, resultTypes: ['violations'], ...options })
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ include: [${context}], exclude: ${inactive} }, ${all})`,
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${name}: ${id} (${impact}) ${target}: ${failureSummary}`),
  )
}
